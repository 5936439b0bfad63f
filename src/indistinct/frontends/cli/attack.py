"""The command that attacks a release."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.api import attack as attack_release
from indistinct.base.success import SuccessRate
from indistinct.frontends.cli.options import option_of, with_options
from indistinct.frontends.cli.terminal import exit_unless_met, print_document, print_text
from indistinct.tables.evaluation import (
    ATTACKERS,
    AttackParameter,
    AttackReport,
    Outcome,
    words_of_attacks,
)

app = typer.Typer(add_completion=False)
words = words_of_attacks()


def option(name: str, word: AttackParameter) -> Parameter:
    """Make the option of a word; a list is a text with commas."""
    if word.bounds.kind is tuple:
        return option_of(name, str, "", f"{word.bounds.help}, comma-separated")
    return option_of(name, word.bounds.kind, word.default, word.bounds.help)


@app.command()
@with_options([option(name, word) for name, word in words.items()], after="control")
def attack(  # noqa: PLR0913, PLR0917 - each is an option of the command
    release: Annotated[
        str, typer.Argument(metavar="RELEASE", help="the table that is attacked, published or not")
    ],
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    attacker: Annotated[
        str | None,
        typer.Option(help=f"one of {', '.join(ATTACKERS)}; default: prosecutor"),
    ] = None,
    attack: Annotated[
        str | None, typer.Option("--attack", help="the name of one attack, instead of an attacker")
    ] = None,
    register: Annotated[
        Path | None,
        typer.Option(help="a table of what the attacker knows about people, with names"),
    ] = None,
    original: Annotated[
        str | None, typer.Option(help="the table that the release was made from")
    ] = None,
    crosswalk: Annotated[
        Path | None,
        typer.Option(help="which row came from which record, to count correct findings"),
    ] = None,
    control: Annotated[
        Path | None, typer.Option(help="people of the same population who are not in the release")
    ] = None,
    releases: Annotated[
        str, typer.Option(help="earlier releases of the table, comma-separated, oldest first")
    ] = "",
    originals: Annotated[
        str, typer.Option(help="the tables that the earlier releases were made from")
    ] = "",
    crosswalks: Annotated[
        str, typer.Option(help="their crosswalks, so that people are searched in their classes")
    ] = "",
    present: Annotated[
        Path | None, typer.Option(help="columns person and release: who was in which, 1 the oldest")
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(help="the history of the releases, with the groups of each person"),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="other people of the same population, known to the attacker")
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(help='a condition such as "rate<=0.2"; exit code 1 if it fails'),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="makes the guesses repeatable, for tests")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,  # noqa: FBT002 - a flag
    **given: Any,
) -> None:
    """Attack a release as others would, and count what they find.

    Example: indistinct attack release.csv --policy policy.toml --register register.csv
    """
    said: dict[str, Any] = {
        name: _listed(value) if words[name].bounds.kind is tuple else value
        for name, value in given.items()
    }
    report = attack_release(
        release,
        policy,
        attacker=attacker,
        attack=attack,
        register=register,
        original=original,
        crosswalk=crosswalk,
        control=control,
        releases=_listed(releases),
        originals=_listed(originals),
        crosswalks=_listed(crosswalks),
        present=present,
        history=history,
        reference=reference,
        seed=seed,
        **said,
    )
    failed = [text for text in require or [] if not report.meets(text)]
    if as_json:
        print_document(report.document())
    else:
        print_text(attack_summary(report, given["confidence"]))
    exit_unless_met(failed)


def attack_summary(report: AttackReport, confidence: float) -> str:
    """Return the added risk, how often the attacker succeeds, then what each attack did."""
    answer = report.answer
    who = f"The {report.attacker}" if report.attacker else f"The attack {answer.attack}"
    low, high = answer.found.interval
    if answer.found.attempts == 0:
        lines = [f"{who} finds nothing to attempt."]
    else:
        how = "succeeds" if answer.counted else "may expect to succeed"
        tried = f"{_count(answer.found.successes)} of {answer.found.attempts:,} attempts"
        margin = f"{low:.2%} to {high:.2%}, confidence {confidence:.0%}"
        lines = [f"{who} {how} in {tried}: {answer.found.rate:.2%} ({margin})."]
    lines = [*added_lines(answer), *lines]
    for outcome in report.outcomes:
        lines += _lines(outcome)
    return "\n".join(lines)


def added_lines(outcome: Outcome) -> list[str]:
    """Return what the release adds to the success on others; nothing without a control group."""
    added = outcome.added
    if added is None:
        unmeasured = outcome.unmeasured
        return [] if unmeasured is None else [f"The added risk cannot be measured: {unmeasured}."]
    low, high = added.interval
    does = "succeeds" if outcome.compared is None else "succeeds, with equally many people,"
    does = "says yes" if outcome.control is None else does
    text = (
        f"The release adds {100 * added.difference:.2f} percentage points to the attack "
        f"({100 * low:.2f} to {100 * high:.2f}, confidence {added.one.confidence:.0%}): it {does} "
        f"for {added.one.rate:.2%} of people in the data and {added.other.rate:.2%} of others."
    )
    return [text, "This may be chance: the interval includes 0."] if low <= 0 <= high else [text]


def _lines(outcome: Outcome) -> list[str]:
    """Describe one attack."""
    lines = [f"  {_titled(outcome)}: {_share(outcome.found)}"]
    if outcome.baseline is not None:
        lines.append(f"    {outcome.baseline_is}: {_share(outcome.baseline)}")
    if outcome.control is not None:
        lines.append(f"    people not in the release: {_share(outcome.control)}")
    if outcome.added is not None:
        low, high = (100 * end for end in outcome.added.interval)
        points = f"{100 * outcome.added.difference:.2f} ({low:.2f} to {high:.2f})"
        lines.append(f"    added by the release: {points} percentage points")
    elif outcome.unmeasured is not None:
        lines.append(f"    added by the release: cannot be measured: {outcome.unmeasured}")
    details = outcome.details
    if "releases" in details and "mean_chance" in details:
        lines.append(
            f"    {details['releases']} releases leave {details['smallest']} values or more open; "
            f"mean chance of a guess {details['mean_chance']:.2%} "
            f"(by one release alone: {', '.join(f'{one:.2%}' for one in details['alone'])})"
        )
    if "mean_reach" in details:
        lines.append(
            f"    groups link {details['mean_reach']:.1f} of {details['people']:,} people on "
            "average, each person among them; with m = 2, one leaked value tells those of all of "
            "them"
        )
    if "auc" in details:
        low, high = details["advantage_interval"]
        lines.append(
            f"    yes more often for people in the table: {details['advantage']:.2%} "
            f"({low:.2%} to {high:.2%}); area under the curve {details['auc']:.3f}"
        )
    if "below_k" in details:
        lines.append(_candidates(details))
    if "covered" in details:
        lines.append(
            f"    {details['covered']:,} of {details['people']:,} people fit a record; the best "
            f"guess is {details['highest_chance']:.2%} likely to be right"
        )
    return [*lines, *(f"    note: {doubt}" for doubt in outcome.doubts())]


def _candidates(details: Mapping[str, Any]) -> str:
    """Return how many candidates have known items or events, and what more knowledge finds."""
    few = f"    {details['below_k']:.2%} have fewer than {details['k']} candidates"
    if "m+1" in details:
        return (
            f"{few}; with one more event {details['m+1']:.2%} are found, with two more "
            f"{details['m+2']:.2%}, and in the original {details['original']:.2%}"
        )
    return (
        f"{few}; at least {details['least_candidates']:,}, {details['mean_candidates']:,.1f} on "
        f"average; all candidates share {details['further_labels']:.2f} further labels on average"
    )


def _titled(outcome: Outcome) -> str:
    """Name an attack, and the column it is after."""
    column = outcome.details.get("column")
    return outcome.attack if column is None else f"{outcome.attack} ({column})"


def _share(found: SuccessRate) -> str:
    """Write successes, attempts and their rate."""
    return f"{_count(found.successes)} of {found.attempts:,} ({found.rate:.2%})"


def _count(successes: float) -> str:
    """Write a number of successes; a fraction of them is an expectation."""
    return f"{int(successes):,}" if float(successes).is_integer() else f"{successes:,.1f}"


def _listed(names: str) -> list[str]:
    """Split a comma-separated list of columns."""
    return [name.strip() for name in names.split(",") if name.strip()]
