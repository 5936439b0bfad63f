"""What the documents say is there, is there; what is there stands in the documents.

It takes more than 20 seconds of a processor, most of them in a fresh clone: its examples are the
first to call many of the compiled loops, and run as a reader would type them.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from forked import shell_with_command
from indistinct.base.parameters import declared
from indistinct.errors import IndistinctError
from indistinct.frontends.cli.main import COMMANDS as TABLE_COMMANDS, app
from indistinct.tables.evaluation.attacks import ATTACKERS, ATTACKS
from indistinct.tables.evaluation.attacks.attack_parameters import words_of_attacks
from indistinct.tables.masks import MASKS
from indistinct.tables.metrics import AGGREGATES, METRICS
from indistinct.tables.models import MODELS
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.policy_table import Words
from indistinct.tables.policy.sections.hierarchy import HIERARCHY_KINDS
from indistinct.tables.search import ALGORITHMS_BY_NAME
from shared import longer

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/contributing/*.md")])
LONGEST_README = 75  # lines: one screen of a window, with its picture
GROUP = get_command(app)
COMMANDS = {name: GROUP.get_command(None, name) for name in TABLE_COMMANDS}


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ `([^`]+)`$", text, flags=re.MULTILINE)


def sections(text: str, level: str) -> dict[str, str]:
    """Return the text below each heading that names a word in code."""
    parts = re.split(rf"^{level} (.+)$", text, flags=re.MULTILINE)
    return {
        heading.strip("`"): body
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
        if heading.startswith("`")
    }


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def errors(root: type[IndistinctError] = IndistinctError) -> set[type[IndistinctError]]:
    return {root}.union(*(errors(branch) for branch in root.__subclasses__()))


def words(kind: type[Words]) -> set[str]:
    """Collect every word of a table of a policy, and of the tables in it."""
    found = set(kind.model_fields)
    for table in Words.__subclasses__():
        of_published_tables = table.__module__.startswith("indistinct.aggregates.")
        if not (of_published_tables or issubclass(Policy, table)):
            found |= set(table.model_fields)
    return found


def test_every_model_has_its_section_and_its_parameters() -> None:
    """A model is documented by its name, its parameters and its source."""
    text = page("docs/models.md")
    assert headings(text) == [model.name for model in MODELS]
    for model in MODELS:
        section = sections(text, "##")[model.name]
        assert f"| [`{model.name}`](#{model.name}) |" in text
        assert model.__name__ in section
        for name in declared(model):
            assert f"`{name}" in section, f"{model.name} has a parameter {name}"
        for key in re.findall(r"Source: (\w+)", model.__doc__ or ""):
            assert key in section, f"{model.name} comes from {key}"
        assert "**Protects against**" in section
        assert "**Does not protect against**" in section


def test_every_protection_has_its_section_and_its_parameters() -> None:
    text = page("docs/masking.md")
    assert headings(text) == list(MASKS)
    for protection in MASKS.values():
        section = sections(text, "##")[protection.name]
        assert f"| [`{protection.name}`](#{protection.name}) |" in text
        assert protection.__name__ in section
        for name in declared(protection):
            assert f"| `{name}` |" in section, f"{protection.name} has a parameter {name}"
        for key in re.findall(r"Source: (\w+)", protection.__doc__ or ""):
            assert key in section, f"{protection.name} comes from {key}"
        assert "**Protects against**" in section
        assert "**Does not protect against**" in section


def test_every_metric_has_its_section_and_its_row() -> None:
    text = page("docs/metrics.md")
    assert set(headings(text)) == set(METRICS)
    for name in METRICS:
        assert f"| [`{name}`](#{name}) |" in text
    for name in AGGREGATES:
        assert f"| `{name}` |" in text


def test_every_algorithm_has_its_section() -> None:
    text = page("docs/algorithms.md")
    assert set(headings(text)) == set(ALGORITHMS_BY_NAME)
    for name in ALGORITHMS_BY_NAME:
        assert f"| [`{name}`](#{name})" in text


def test_every_error_has_its_paragraph() -> None:
    """The slug of an error leads to its class, its exit code, its cause and its remedy."""
    text = page("docs/errors.md")
    assert sorted(headings(text)) == sorted(error.slug for error in errors())
    for error in errors():
        section = sections(text, "##")[error.slug]
        assert f"`{error.__name__}`" in section
        if error is not IndistinctError:
            assert f"exit code {error.exit_code}" in section


def test_every_word_of_a_policy_is_explained() -> None:
    text = page("docs/policy.md")
    for word in words(Policy) - {
        "columns",
        "models",
        "data",
        "method",
        "release",
        "population",
        "noise",
        "history",
        "context",
    }:
        assert f"| `{word}` |" in text, f"the policy has a word {word}"
    for table in ("data", "columns.NAME", "method", "release", "population", "noise", "history"):
        assert f"### `[{table}]`" in text
    for kind in HIERARCHY_KINDS:
        assert f"| `{kind}` |" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_explained(name: str) -> None:
    """Each command has a section with a row per option and nothing else."""
    section = sections(page("docs/policy.md"), "###")[name]
    documented = set(re.findall(r"^\| `(--[a-z-]+)` \|", section, flags=re.MULTILINE))
    offered = {
        option
        for parameter in COMMANDS[name].params
        for option in parameter.opts
        if option.startswith("--") and option != "--help"
    }
    if name == "attack":
        # Its words are those of the attacks, and stand beside them.
        offered -= {f"--{word.replace('_', '-')}" for word in words_of_attacks()}
    assert documented == offered
    assert "Example: indistinct " in (COMMANDS[name].help or "")


def test_one_page_lists_what_is_in_it() -> None:
    text = page("docs/features.md")
    # Models, objectives and algorithms are left to their own pages, so that a new one has four
    # places and no fifth.
    for name in COMMANDS:
        assert f"`{name}`" in text


def cited() -> set[str]:
    """Collect the keys that docstrings and comments of the source cite."""
    keys: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        lines = re.findall(r"^\s*(?:# )?Source: (.+)$", file.read_text("utf-8"), re.MULTILINE)
        for line in lines:
            keys |= set(re.findall(r"\b[a-z]+(?:19|20)[0-9]{2}[a-z]?\b", line))
    return keys


def test_every_source_is_in_the_bibliography_and_the_other_way_round() -> None:
    entries = re.findall(r"^@\w+\{(\w+),$", page("docs/references.bib"), flags=re.MULTILINE)
    assert len(entries) == len(set(entries))
    pages = " ".join(file.read_text("utf-8") for file in (ROOT / "docs").glob("*.md"))
    of_pages = {entry for entry in entries if re.search(rf"\b{entry}\b", pages)}
    assert cited() <= set(entries) == cited() | of_pages


def test_every_entry_of_the_bibliography_says_what_it_is() -> None:
    for entry in page("docs/references.bib").split("\n@")[1:]:
        for field in ("author", "title", "year"):
            assert re.search(rf"^\s+{field}\s+= {{", entry, flags=re.MULTILINE), entry[:40]


def test_no_page_leads_to_a_page_that_is_missing() -> None:
    for file in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text("utf-8")):
            assert (file.parent / target).exists(), f"{file.name} leads to {target}"


def test_the_site_has_every_page_once_and_its_index_leads_to_each() -> None:
    """Each page stands in one table of contents, and in the text for those who read no site."""
    text = page("docs/index.md")
    entries = [
        line for block in blocks(text, "{toctree}") for line in block.split() if line[0] != ":"
    ]
    named = [
        file.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for entry in entries
        for file in sorted((ROOT / "docs").glob(f"{entry}.*"))
        if "reference_pages" not in file.parts and file.suffix in {".md", ".ipynb"}
    ]
    there = {
        file.relative_to(ROOT / "docs").with_suffix("").as_posix()
        for kind in ("md", "ipynb")
        for file in (ROOT / "docs").rglob(f"*.{kind}")
        if not {"_build", "jupyter_execute", "reference_pages"} & set(file.parts)
    } - {"index"}
    assert sorted(named) == sorted(there)
    for name in there:
        assert f"]({name}." in text or name.startswith("decisions/"), f"the index leads to {name}"


def test_the_readme_fits_on_a_screen() -> None:
    lines = page("README.md").splitlines()
    assert len(lines) <= LONGEST_README
    assert "|---" not in page("README.md")


def test_links_inside_the_pages_lead_to_a_heading() -> None:
    for file in PAGES:
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", file.read_text("utf-8")):
            text = (file.parent / target if target else file).read_text("utf-8")
            found = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
            assert anchor in {_anchor(heading) for heading in found}, f"{file.name}: {anchor}"


def _anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


# The examples of these pages need what a table does not: a dataset, a server, a graph.
OWN_EXAMPLES = {"database", "graph"}


# Two seconds and more. In the fast run, some take a tenth of their records; tests/unit has smaller
# tables for each of the others' subjects.
SHORTENED = ("engineer", "index", "masking", "README", "sweep")
LONG_EXAMPLES = {
    "choosing", "compare", "larger-than-memory", "replay", "republication", *SHORTENED,
}  # fmt: skip
EXAMPLES = [file for file in PAGES if file.stem not in OWN_EXAMPLES]


@pytest.mark.parametrize(
    "file",
    longer(EXAMPLES, [file for file in EXAMPLES if file.stem not in LONG_EXAMPLES]),
    ids=lambda file: file.stem,
)
def test_python_examples_run(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The examples of a page run one after the other, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    run_examples(file, file.read_text("utf-8"))
    capsys.readouterr()


@pytest.mark.parametrize("name", SHORTENED)
def test_long_examples_run_with_fewer_records(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = next(page for page in PAGES if page.stem == name)
    text, n_changed = re.subn(r"\brows=(\d+)0\b", r"rows=\1", file.read_text("utf-8"))
    assert n_changed
    run_examples(file, text)
    capsys.readouterr()


def run_examples(file: Path, text: str) -> None:
    """Run the Python blocks of a page, which share their names."""
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks(text, "python"):
        exec(compile(block, str(file), "exec", dont_inherit=True), names)


def test_the_policy_of_the_documents_is_a_policy() -> None:
    policies = blocks(page("docs/policy.md"), "toml")
    assert Policy.from_words(tomllib.loads(policies[0])).models


def test_every_attack_and_attacker_is_explained() -> None:
    """What is known, what is wanted and what counts as a success; the words of a plan, too."""
    text = page("docs/attacks.md")
    explained = {name for heading in headings_of_words(text) for name in heading}
    assert explained == {attack.name for attack in ATTACKS}
    for attacker in ATTACKERS:
        assert f"| `{attacker}` |" in text
    options = text.partition("\n## Options\n")[2]
    rows = re.findall(r"^\| `--([a-z-]+)` \| ([^|]+) \| ([^|]+) \|", options, re.MULTILINE)
    rows = [(name.replace("-", "_"), *others) for name, *others in rows]
    assert {name: bounds for name, bounds, _ in rows} == {
        name: word.bounds.sentence() for name, word in words_of_attacks().items()
    }
    for name, _, default in rows:
        unset = words_of_attacks()[name].default
        assert default.startswith("none" if unset in {None, ()} else str(unset))


def headings_of_words(text: str) -> list[list[str]]:
    """Return the words in code of each heading that has some."""
    lines = re.findall(r"^### (`.+)$", text, flags=re.MULTILINE)
    return [re.findall(r"`([^`]+)`", line) for line in lines]


def run_shell_blocks(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run every line of the shell blocks of a page; the first that fails ends it."""
    script = "\n".join(["set -e", *blocks(page(name), "sh")])
    script = script.replace("sample hospital", "sample hospital --rows 500")  # of 20,000
    assert "indistinct" in script
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env=shell_with_command(folder),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow  # twenty seconds; tests/unit/frontends/comparison compares the same contestants
def test_the_comparison_runs_as_it_stands(tmp_path: Path) -> None:
    done = run_shell_blocks("docs/compare.md", tmp_path)
    assert done.returncode == 0, done.stderr
    assert {"compare.html", "compare.json"} <= {file.name for file in tmp_path.iterdir()}


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/policy.md",
        "docs/attacks.md",
        "docs/steward.md",
        "docs/reports.md",
        "docs/graph.md",
        "docs/synthesis.md",
        "docs/database.md",
    ],
)
def test_commands_run_as_they_stand(name: str, tmp_path: Path) -> None:
    """Every line of the shell blocks ends with exit code 0."""
    done = run_shell_blocks(name, tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("*.csv.manifest.json")) or name == "docs/database.md"
    if name == "docs/attacks.md":
        shown = re.findall(r"^```\n(The prosecutor.*?)^```$", page(name), re.MULTILINE | re.DOTALL)
        assert all(answer in done.stdout for answer in shown[0].strip().split("\n\n"))
