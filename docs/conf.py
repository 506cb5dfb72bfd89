"""How the documentation is built: `make docs`, or `sphinx-build -W docs build/docs`."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
for talkative in ("alembic", "traitlets"):
    logging.getLogger(talkative).setLevel(logging.WARNING)
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import ventiuna  # noqa: E402
from tools.reference import write_pages  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Ventiuna"
author = "Ventiuna contributors"
copyright = "Ventiuna contributors, MIT license"  # noqa: A001
version = release = ventiuna.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
]
exclude_patterns = ["images/README.md"]

html_theme = "furo"
html_title = "Ventiuna"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}

# Markdown
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 4
# The copy button copies commands without their prompts and output.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"
# The two hyphens of `--json` stay as they are, and plain fences show text unchanged.
smartquotes = False
highlight_language = "text"

# Notebooks run with each build, from data that `python -m tools.notebook_data` has written.
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True

# The library reference, from its docstrings
default_role = "code"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True

# Every reference must resolve, except types in signatures: most of them have no page.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]


# Repository pages that have a different name in the documentation.
_ELSEWHERE = {
    "](../client/README.md": "](project/client.md",
    "](../CONTRIBUTING.md": "](project/contributing.md",
}


def _lead_inside(_app: Sphinx, _page: str, source: list[str]) -> None:
    for outside, inside in _ELSEWHERE.items():
        source[0] = source[0].replace(outside, inside)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir)))
    app.connect("source-read", _lead_inside)
