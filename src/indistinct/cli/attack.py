"""The command that attacks a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.cli.terminal import print_document, print_text, say

if TYPE_CHECKING:
    from indistinct.reader.attacks.attack import AttackReport


def attack(  # noqa: PLR0913, PLR0917 - each is an option of the command
    release: Annotated[
        str, typer.Argument(metavar="RELEASE", help="the table that is attacked, published or not")
    ],
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    attacker: Annotated[
        str, typer.Option(help="prosecutor, journalist, marketer, neighbor or insider")
    ] = "prosecutor",
    attack: Annotated[
        str | None, typer.Option("--attack", help="one attack by name, in place of an attacker")
    ] = None,
    register: Annotated[
        Path | None, typer.Option(help="what the attacker knows of people, by name")
    ] = None,
    original: Annotated[
        Path | None, typer.Option(help="the table that the release was made from")
    ] = None,
    crosswalk: Annotated[
        Path | None, typer.Option(help="which row came from which: counts who was really found")
    ] = None,
    control: Annotated[
        Path | None, typer.Option(help="people of the same population who are not in the release")
    ] = None,
    known: Annotated[
        str, typer.Option(help="columns that the attacker knows, comma-separated")
    ] = "",
    elsewhere: Annotated[
        str, typer.Option(help="columns that he knows from a second place, for linkability")
    ] = "",
    secret: Annotated[str | None, typer.Option(help="the column that he wants")] = None,
    attempts: Annotated[int, typer.Option(help="most attempts, where targets are drawn")] = 2000,
    excluded: Annotated[int, typer.Option(help="sensitive values that he can rule out")] = 0,
    gain: Annotated[float, typer.Option(help="rise of a belief that counts, 0 to 1")] = 0.25,
    width: Annotated[int, typer.Option(help="columns of a multivariate predicate")] = 3,
    neighbors: Annotated[int, typer.Option(help="nearest records that are compared")] = 1,
    confidence: Annotated[float, typer.Option(help="of the intervals, 0 to 1")] = 0.95,
    require: Annotated[
        list[str] | None, typer.Option(help='such as "rate<=0.2"; exit 1 when it fails')
    ] = None,
    seed: Annotated[int | None, typer.Option(help="repeatable guesses, for tests")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,  # noqa: FBT002 - a flag
) -> None:
    """Attack a release as others would, and count what they find.

    Example: indistinct attack release.csv --policy policy.toml --register register.csv
    """
    from indistinct.policy.policy import Policy
    from indistinct.reader.attacks.attack import attack as attack_table

    report = attack_table(
        release,
        Policy.load(policy),
        attacker=attacker,
        attack=attack,
        register=register,
        original=original,
        crosswalk=crosswalk,
        control=control,
        seed=seed,
        known=_listed(known),
        elsewhere=_listed(elsewhere),
        secret=secret,
        attempts=attempts,
        excluded=excluded,
        gain=gain,
        width=width,
        neighbors=neighbors,
        confidence=confidence,
    )
    failed = [text for text in require or [] if not report.meets(text)]
    if as_json:
        print_document(report.document())
    else:
        print_text(attack_summary(report, confidence))
    for text in failed:
        say(f"does not hold: {text}")
    if failed:
        raise typer.Exit(1)


def attack_summary(report: AttackReport, confidence: float) -> str:
    """Say how often the attacker succeeds, then what each attack did."""
    answer = report.answer.document()
    who = f"The {report.attacker}" if report.attacker else f"The attack {answer['attack']}"
    low, high = answer["interval"]
    if answer["attempts"] == 0:
        lines = [f"{who} finds nothing to attempt."]
    else:
        how = "succeeds" if answer["counted"] else "may expect to succeed"
        tried = f"{_count(answer['successes'])} of {answer['attempts']:,} attempts"
        margin = f"{low:.2%} to {high:.2%}, confidence {confidence:.0%}"
        lines = [f"{who} {how} in {tried}: {answer['rate']:.2%} ({margin})."]
    for outcome in report.outcomes:
        lines += _lines(outcome.document())
    return "\n".join(lines)


def _lines(said: dict[str, Any]) -> list[str]:
    """Describe one attack."""
    lines = [f"  {_titled(said)}: {_share(said)}"]
    if said["baseline"] is not None:
        lines.append(f"    guessing blindly: {_share(said['baseline'])}")
    if said["control"] is not None:
        lines.append(f"    people not in the release: {_share(said['control'])}")
    if said["risk"] is not None:
        low, high = said["risk"]["interval"]
        lines.append(
            f"    risk beyond theirs: {said['risk']['risk']:.2%} ({low:.2%} to {high:.2%})"
        )
    details = said["details"]
    if "covered" in details:
        lines.append(
            f"    {details['covered']:,} of {details['people']:,} people are covered by a record; "
            f"greatest chance {details['highest_chance']:.2%}"
        )
    return [*lines, *(f"    note: {warning}" for warning in said["warnings"])]


def _titled(said: dict[str, Any]) -> str:
    """Name an attack, and the column it is after."""
    column = said["details"].get("column")
    return said["attack"] if column is None else f"{said['attack']} ({column})"


def _share(said: dict[str, Any]) -> str:
    """Write successes, attempts and their rate."""
    return f"{_count(said['successes'])} of {said['attempts']:,} ({said['rate']:.2%})"


def _count(successes: float) -> str:
    """Write a number of successes; a fraction of them is an expectation."""
    return f"{successes:,}" if isinstance(successes, int) else f"{successes:,.1f}"


def _listed(names: str) -> list[str]:
    """Split a comma-separated list of columns."""
    return [name.strip() for name in names.split(",") if name.strip()]
