"""A release on one page: what was promised, what was reached, what it cost, what it leaves open.

The page stands alone: no script, no font and no picture is fetched from anywhere, and like the
manifest it holds no value of any record.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from indistinct.core.documents import document_of
from indistinct.release.entries import MethodEntry, ModelEntry, ProtectionEntry
from indistinct.release.manifest import Manifest

STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6b7c; --line: #d5dde5; --mark: #2b7a78;
  --bad: #b3261e; --paper: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9fb0c0; --line: #344150;
  --mark: #5fc9c3; --bad: #ff8a80; --paper: #151b22; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.2rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p.answer { font-size: 1.1rem; border-left: 0.3rem solid var(--mark); padding-left: 0.8rem; }
p.answer.bad { border-color: var(--bad); }
table { border-collapse: collapse; width: 100%; } th { text-align: left; color: var(--soft); }
th, td { padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.soft { color: var(--soft); } svg rect { fill: var(--mark); } svg text { fill: var(--ink);
  font: 13px system-ui, sans-serif; } svg rect.empty { fill: var(--line); }
"""

LIMITS = {
    "k-anonymity": "k-anonymity says nothing about sensitive values: a class whose members share "
    "one gives it away.",
    "distinct-l-diversity": "distinct l-diversity lets one value dominate a class, and does not "
    "know which values are alike.",
    "t-closeness": "t-closeness bounds what a class adds to what the whole table tells; it does "
    "not hide what the whole table tells.",
}
ALWAYS_OPEN = (
    (
        "An attacker who knows that a person is in the table learns what all members of the "
        "person's class have in common."
    ),
    "A second release of overlapping records can undo both: the promise is for this one alone.",
    "Columns declared insensitive are released as they are.",
)


def release_page(manifest: Manifest) -> str:
    """Write the page of a release.

    Parameters
    ----------
    manifest : of the release

    Returns
    -------
    a whole HTML document
    """
    parts = [
        f"<h1>Release of {manifest.records.released:,} records</h1>",
        _answer(manifest),
        "<h2>Promised and reached</h2>",
        table_of(("model", "asked", "worst class", "holds"), _model_rows(manifest.models)),
        *_protection(manifest.protection),
        "<h2>Records and classes</h2>",
        table_of(("figure", "value"), _count_rows(manifest)),
        "<h2>How far each column was generalized</h2>",
        *_level_pictures(manifest.method),
        "<h2>What it cost</h2>",
        table_of(("measure", "value"), _figures(manifest.loss)),
        "<h2>What an attacker may hope for</h2>",
        table_of(("measure", "value"), _figures(document_of(manifest.risk))),
        "<h2>What this does not protect against</h2>",
        _list(
            [
                *(warning.message for warning in manifest.warnings),
                *_limits(manifest.models),
                *([manifest.promise] if manifest.promise else []),
                *ALWAYS_OPEN,
            ]
        ),
        "<h2>How it was made</h2>",
        table_of(("word", "value"), _method_rows(manifest)),
    ]
    return page("indistinct: release", parts)


def page(title: str, parts: Iterable[str]) -> str:
    """Write a page that stands alone.

    Parameters
    ----------
    title : of the window
    parts : HTML
    """
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_safe(title)}</title><style>{STYLE}</style></head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _answer(manifest: Manifest) -> str:
    """Say the answer in one sentence."""
    holds = all(model.holds for model in manifest.models) and manifest.verified
    suppressed = manifest.records.suppressed or 0
    total = manifest.records.released + suppressed
    if not holds:
        return '<p class="answer bad">The promise does not hold. Do not publish this table.</p>'
    return (
        '<p class="answer">Every promise holds, counted afresh from the written table. '
        f"{suppressed:,} of {total:,} records ({suppressed / total:.2%}) "
        "were left out.</p>"
    )


def _model_rows(models: Iterable[ModelEntry]) -> Iterable[Sequence[str]]:
    """Give one row per model."""
    for model in models:
        yield (
            model.name,
            _words(model.required),
            "nothing is released" if model.achieved is None else _words(model.achieved),
            "yes" if model.holds else "no",
        )


def _protection(entries: Mapping[str, ProtectionEntry]) -> Iterable[str]:
    """Say how columns are protected besides the models."""
    if not entries:
        return
    rows = [
        (name, entry.name, _words({k: v for k, v in entry.facts.items() if _is_figure(v)}))
        for name, entry in entries.items()
    ]
    yield "<h2>Columns protected otherwise</h2>"
    yield table_of(("column", "protection", "figures"), rows)


def _is_figure(value: object) -> bool:
    """Tell whether a value is a number and no more."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _count_rows(manifest: Manifest) -> Iterable[Sequence[str]]:
    """Give the numbers of records and classes."""
    yield ("records in the input", _figure(manifest.input.rows))
    yield ("records released", _figure(manifest.records.released))
    yield ("records suppressed", _figure(manifest.records.suppressed))
    unit = ""
    if manifest.people is not None:
        unit = ", in people"
        yield ("people released", _figure(manifest.people.released))
        yield ("people suppressed", _figure(manifest.people.suppressed))
    yield ("equivalence classes", _figure(manifest.classes.count))
    yield (f"smallest class{unit}", _figure(manifest.classes.smallest))
    yield (f"mean class{unit}", _figure(manifest.classes.mean))
    yield (f"largest class{unit}", _figure(manifest.classes.largest))


def _level_pictures(method: MethodEntry) -> Iterable[str]:
    """Draw a bar per column: its level, or the shares of its levels."""
    shares = method.levels or {}
    if method.transformation is not None:
        shares = {name: {str(level): 1.0} for name, level in method.transformation.items()}
    for name, of_level in shares.items():
        text = ", ".join(f"level {level}: {share:.0%}" for level, share in of_level.items())
        kept = float(of_level.get("0", 0.0))
        yield (
            f'<svg width="100%" height="26" role="img" aria-label="{_safe(name)}: {_safe(text)}">'
            f'<text x="0" y="18">{_safe(name)}</text>'
            '<rect class="empty" x="32%" y="6" width="20%" height="14"/>'
            f'<rect x="32%" y="6" width="{kept * 20:.2f}%" height="14"/>'
            f'<text x="54%" y="18">{_safe(text)}</text></svg>'
        )
    yield '<p class="soft">The bar is the share of released records that keep their value.</p>'


def _method_rows(manifest: Manifest) -> Iterable[Sequence[str]]:
    """Give what there is to say of the search, and the hashes."""
    for name, value in manifest.method.document().items():
        if not isinstance(value, Mapping | list):
            yield (name.replace("_", " "), _figure(value))
    yield ("input fingerprint", manifest.input.fingerprint or "")
    yield ("output sha256", manifest.output.sha256 or "not written yet")
    yield ("policy sha256", manifest.policy_sha256)
    yield ("version", manifest.indistinct)


def _figures(figures: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    """Give the numbers that are known."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            continue
        yield (name, "not measured" if value is None else _figure(value))


def _limits(models: Iterable[ModelEntry]) -> list[str]:
    """Say what the models leave open."""
    return [LIMITS[model.name] for model in models if model.name in LIMITS]


def _words(figures: Mapping[str, Any]) -> str:
    """Write names and numbers."""
    return ", ".join(f"{name} = {_figure(value)}" for name, value in figures.items())


def _figure(value: object) -> str:
    """Write a number as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table_of(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; its numbers stand to the right."""
    head = "".join(f"<th>{_safe(text)}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td{_align(text)}>{_safe(text)}</td>" for text in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _align(text: str) -> str:
    """Mark a cell that is a number."""
    return ' class="number"' if text[:1].isdigit() and " " not in text else ""


def _list(lines: Iterable[str]) -> str:
    """Write a list."""
    return "<ul>" + "".join(f"<li>{_safe(line)}</li>" for line in lines) + "</ul>"


def _safe(text: str) -> str:
    """Escape a text."""
    return html.escape(text)
