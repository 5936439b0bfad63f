"""Each file, folder and module that a page names is there."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "indistinct"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/contributing/*.md")),
    *sorted(ROOT.glob("docs/decisions/*.md")),
]

# What a span of code may end in, if it is a file of ours.
OURS = ("py", "md", "bib", "lock", "sh", "html", "css", "ipynb")

# Files and folders that a user or a target makes, and what only looks like a place.
OF_USERS = {
    *("dist/", "benchmarks/results/", "fuzz-findings/", "related-releases/"),
    "/openapi.json",
    *("dd/mm/yyyy", "mm/dd/yyyy", "yyyy/mm/dd"),
}
# Names that a page gives to what a reader would add, or to files of before.
EXAMPLES = {
    "docs/how-it-works.md": {"simpson_diversity.py"},
    "docs/algorithms.md": {"new_algorithm.py"},
    "docs/contributing/glossary.md": {
        *("doom.py", "so_far.py", "stars.py", "scene.py", "told.py", "beside.py"),
    },
}
# Folders of the source and of the repository: what begins with one of them is a place.
TOPS = {path.name for folder in (ROOT, SOURCE) for path in folder.iterdir() if path.is_dir()}


def spans(text: str) -> list[str]:
    """List the spans of code of a page, without its blocks."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return list(dict.fromkeys(re.findall(r"`([^`\n]+)`", text)))


def drawn(text: str) -> list[str]:
    """List the files and folders of the source that pictures in a page name."""
    pictures = re.findall(r"^```(?:text)?\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    houses = "|".join(path.name for path in SOURCE.iterdir() if path.is_dir())
    return [
        place
        for picture in pictures
        for place in re.findall(rf"(?<![\w./])(?:{houses})/[\w./]*\w(?:/|\.py)", picture)
    ]


def is_place(span: str) -> bool:
    """Return whether a span names a file or folder of ours."""
    if not re.fullmatch(r"[\w.-][\w./-]*", span) or span in OF_USERS:
        return False
    if re.match(r"\.\w+$|[A-Z]+\.", span) and not (ROOT / span).exists():
        return False  # an ending, or a word in capitals for a file of the reader's
    ending = span.rpartition(".")[2]
    return (
        ending in OURS
        or (span.endswith("/") and len(span) > 1)
        or ("/" in span and span.partition("/")[0] in TOPS)
    )


@cache
def names() -> frozenset[str]:
    """Collect the last parts of all files and folders that may be named alone."""
    return frozenset(
        place
        for folder in ("src", "tests", "docs", "benchmarks")
        for path in (ROOT / folder).rglob("*")
        if "__pycache__" not in path.parts
        for place in (
            [path.name, f"{path.parent.name}/{path.name}"] if path.is_file() else [f"{path.name}/"]
        )
    )


def is_there(span: str) -> bool:
    """Look for a place in the source, in the repository, or by its last part alone."""
    return any((folder / span).exists() for folder in (SOURCE, ROOT)) or span in names()


def missing(page: Path) -> list[str]:
    """List the places that a page names and that are not there."""
    text = page.read_text("utf-8")
    examples = EXAMPLES.get(page.relative_to(ROOT).as_posix(), set())
    named = [span for span in spans(text) if is_place(span) and span not in examples]
    return [place for place in [*named, *drawn(text)] if not is_there(place)]


def unknown_modules(page: Path) -> list[str]:
    """List the dotted names that a page gives and that lead to no module or name."""
    found = re.findall(r"(?:`|import |from |-m )(indistinct(?:\.\w+)+)", page.read_text("utf-8"))
    return [name for name in dict.fromkeys(found) if not leads_somewhere(name)]


def leads_somewhere(dotted: str) -> bool:
    """Return whether a dotted name is a module, or a name of one."""
    try:
        import_module(dotted)
    except ModuleNotFoundError:
        home, _, name = dotted.rpartition(".")
        return bool(home) and leads_somewhere(home) and hasattr(import_module(home), name)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_place_in_a_page_is_there(page: Path) -> None:
    """A file that was moved, renamed or deleted is corrected in every page that names it."""
    assert missing(page) == []
    assert unknown_modules(page) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("See `tables/models/gone.py`.", "tables/models/gone.py"),
        ("See `gone.py`.", "gone.py"),
        ("A folder `tables/gone/` and", "tables/gone/"),
        ("Only `graph/gone` does.", "graph/gone"),
        ("```\n   |  tables/search/gone.py   looks\n```", "tables/search/gone.py"),
    ],
)
def test_a_place_that_is_gone_is_found(text: str, place: str) -> None:
    """The search finds each kind that it looks for."""
    named = [span for span in spans(text) if is_place(span)] + drawn(text)
    assert named == [place]
    assert not is_there(place)


def test_pages_name_places() -> None:
    """Pages that are written in another way would test nothing."""
    text = (ROOT / "docs/contributing/where-to-begin.md").read_text("utf-8")
    assert sum(map(is_place, spans(text))) > 60
    assert len(drawn((ROOT / "docs/how-it-works.md").read_text("utf-8"))) > 12
    assert not leads_somewhere("indistinct.tables.gone")
    assert leads_somewhere("indistinct.models.SimpsonDiversity")
