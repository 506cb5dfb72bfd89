"""Runs axe-core in a page to find accessibility problems."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

_FILE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async (within) => {
  const rules = {
    "target-size": { enabled: true },
    "label-content-name-mismatch": { enabled: true },
  };
  const found = await axe.run(within, { resultTypes: ["violations"], rules });
  return found.violations.map((one) => ({
    id: one.id,
    help: one.help,
    nodes: one.nodes.map((node) => node.html.slice(0, 160) + " " + (node.failureSummary ?? "")),
  }));
}"""


@cache
def _axe() -> str:
    return _FILE.read_text("utf-8")


def check_axe(page: Page, within: str = "html") -> None:
    """Assert that axe finds no problems, and that a whole page has exactly one h1."""
    if within == "html":
        titles = page.get_by_role("heading", level=1, include_hidden=True).all_inner_texts()
        assert len(titles) == 1, f"a page has exactly one h1, not {titles}"
    page.evaluate(_axe())
    found = page.evaluate(_RUN, within)
    assert found == [], "\n".join(
        f"{one['id']}: {one['help']}\n  " + "\n  ".join(one["nodes"]) for one in found
    )
