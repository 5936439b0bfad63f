"""How Sphinx builds the documentation site: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import bibliography  # noqa: E402 - it stands beside this file
import reference  # noqa: E402 - so does this

from indistinct import __version__  # noqa: E402 - after the path, like the line above

project = "indistinct"
project_copyright = "the indistinct maintainers"
release = version = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
root_doc = "index"
exclude_patterns = ["_build", "jupyter_execute"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
suppress_warnings = ["myst.xref_missing_target_file"]
nb_execution_mode = "off"  # notebooks stand in the repository with their output; the tests run them

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = False
napoleon_numpy_docstring = True

html_theme = "furo"
html_title = "indistinct"
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["static"]
html_js_files = ["search.js"]
html_theme_options = {"navigation_with_keys": True}

reference.write(HERE / "reference_pages")
sources = bibliography.entries(HERE / "references.bib")
bibliography.write(HERE / "reference_pages" / "sources.md", sources)


def setup(app: Any) -> None:
    """Lead every citation to the page of sources."""
    app.connect("source-read", _link_citations)


def _link_citations(_app: Any, page: str, text: list[str]) -> None:
    if not page.startswith(("reference_pages/", "notebooks/")):
        text[0] = bibliography.linked(text[0], sources)
