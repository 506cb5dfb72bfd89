"""Write the tables of permissions in docs/server.md.

python -m tests.permissions_page           write the page
python -m tests.permissions_page --check   check that it is up to date
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

import ventiuna.server.app  # noqa: F401  declares all operator commands
from tests.pages import write_or_check
from ventiuna.server.deps import ROUTES
from ventiuna.table.access import PERMISSIONS, Permission, Role
from ventiuna.table.domain.commands import FORMS

PAGE = Path(__file__).parent.parent / "docs" / "server.md"


def by_path(route: str) -> list[str]:
    return route.split()[::-1]


def cell(permission: Permission, role: Role) -> str:
    if role in permission.roles:
        return "yes"
    return "own" if role in permission.own else ""


def tables() -> str:
    lines = [
        f"| permission | to | {' | '.join(Role)} |",
        f"|---|---|{'---|' * len(Role)}",
    ]
    routes = defaultdict[str, list[str]](list)
    for route, access in ROUTES.items():
        routes[access].append(f"`{route}`")
    for form in FORMS:
        routes[form.access].append(f"`POST {form.path}`")
    for access, permission in PERMISSIONS.items():
        cells = " | ".join(cell(permission, role) for role in Role)
        lines.append(f"| {access} | {permission.meaning} | {cells} |")
    lines += ["", "| permission | routes |", "|---|---|"]
    lines += [
        f"| {access} | {', '.join(sorted(routes[access], key=by_path))} |" for access in PERMISSIONS
    ]
    return "\n".join(line for line in lines if not line.endswith("|  |"))


def page() -> str:
    between = re.compile("<!-- permissions -->.*?<!-- end -->", re.DOTALL)
    text = PAGE.read_text(encoding="utf-8")
    return between.sub(lambda _: f"<!-- permissions -->\n{tables()}\n<!-- end -->", text)


if __name__ == "__main__":
    sys.exit(write_or_check(sys.argv[1:], __doc__, PAGE, page))
