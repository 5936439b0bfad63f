"""Commands of door 3: declare a dataset, ask it, serve it, read its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from indistinct.errors import ParameterError, UsageError
from indistinct.frontends.cli.database_agreement import (
    agreed,
    agreed_types,
    folder_lines,
    read_from_data,
)
from indistinct.frontends.cli.database_replies import price_lines, sentences
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.terminal import print_result
from indistinct.questions.database import (
    DELTA,
    Dataset,
    Read,
    add_analyst,
    begin,
    draft_tables,
    end_token,
    init,
    ledger,
    open_session,
    reopen,
)

app = typer.Typer(
    help="Answer questions about personal data with noise, within a budget.", no_args_is_help=True
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Declaration = Annotated[Path, typer.Argument(help="The TOML file that declares the dataset.")]
DATABASES = (".duckdb", ".db", ".ddb")  # files of DuckDB, whose tables are declared together


def pairs(options: Sequence[str], place: str) -> dict[str, str]:
    """Read options of the form COLUMN=WORDS."""
    found: dict[str, str] = {}
    for option in options:
        name, equals, words = option.partition("=")
        if not equals or not words:
            raise ParameterError(
                f"{place}: must have the form COLUMN=...", f"Got no = in one {place}."
            )
        found[name] = words
    return found


def ends(words: str) -> tuple[str, str]:
    """Read LOW:HIGH."""
    low, colon, high = words.partition(":")
    if not colon:
        raise ParameterError("bounds: must have the form COLUMN=LOW:HIGH", "For example age=0:120.")
    return low, high


@app.command(
    "init",
    epilog="Example: indistinct database init patients.csv --person name --epsilon 3 --out p.toml",
)
def init_command(  # noqa: PLR0913, PLR0917 - one parameter per option
    data: Annotated[
        str,
        typer.Argument(
            help="A CSV, TSV or Parquet file, a PostgreSQL URL, a folder of files or a DuckDB "
            "file, for which a declaration is drafted, or a declaration (.toml): only its ledger "
            "is then started."
        ),
    ],
    person: Annotated[
        str,
        typer.Option(
            help="The column that identifies persons. Of several tables also TABLE=COLUMN, with "
            "commas between them, where it has another name."
        ),
    ] = "",
    epsilon: Annotated[str, typer.Option(help="The budget of all answers together.")] = "",
    out: Annotated[Path | None, typer.Option(help="The TOML file to write.")] = None,
    bounds: Annotated[
        list[str] | None, typer.Option(help="COLUMN=LOW:HIGH, public bounds of a number.")
    ] = None,
    values: Annotated[
        list[str] | None, typer.Option(help="COLUMN=a,b,c, public values to group by.")
    ] = None,
    rows_per_person: Annotated[
        int, typer.Option(help="The largest number of rows of one person that are counted.")
    ] = 1,
    table: Annotated[str | None, typer.Option(help="The name of the table in questions.")] = None,
    ledger_at: Annotated[
        str | None, typer.Option("--ledger", help="The ledger: a file, or a PostgreSQL URL.")
    ] = None,
    delta: Annotated[float | None, typer.Option(help="Count in rho (zCDP) at this delta.")] = None,
    types: Annotated[
        list[str] | None,
        typer.Option(
            "--types",
            help="COLUMN=number, text, date, timestamp, bool or code; of a folder also "
            "TABLE.COLUMN=number.",
        ),
    ] = None,
    steps: Annotated[
        list[str] | None, typer.Option("--steps", help="COLUMN=STEP of a number with bounds.")
    ] = None,
    *,
    public: Annotated[
        list[str] | None,
        typer.Option(help="A table of a folder of which no row is about a person."),
    ] = None,
    draft_from_data: Annotated[
        bool,
        typer.Option(
            "--draft-from-data",
            help="Draft bounds and values from the data; no noise or budget covers them.",
        ),
    ] = False,
    declared: Annotated[
        bool,
        typer.Option(
            "--declared", help="Take nothing from the data; every column then needs --types."
        ),
    ] = False,
    unreadable: Annotated[
        str, typer.Option(help="Cells that their column's type cannot read: refuse, or missing.")
    ] = "refuse",
    shared: Annotated[
        str, typer.Option(help="Rows that lead to several people: refuse, or keep a copy for each.")
    ] = "refuse",
    yes: Annotated[
        bool, typer.Option("--yes", help="Confirm that what is taken from the data may be known.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Declare a dataset over a table and start its ledger.

    Types that you do not declare are taken from the data, and with --draft-from-data also bounds
    and values. On a terminal you are asked before the declaration is written.

    Example: indistinct database init patients.csv --person name --epsilon 3
    --bounds height_cm=140:210 --values sex=female,male --out patients.toml
    """
    if declared and draft_from_data:
        raise ParameterError(
            "--declared: and --draft-from-data contradict each other", "Leave one of them out."
        )
    if data.lower().endswith(".toml"):
        said: list[str] = []
        found = begin(data, unreadable=unreadable, shared=shared, tell=said.append)
        sentence = f"The ledger of {data} is started. Ask about {', '.join(found.tables)}."
        document = {"dataset": data, "tables": list(found.tables), "rows_that_lead_to_people": said}
        print_result(document, [*said, sentence], as_json=as_json)
        return
    if not person or not epsilon or out is None:
        raise UsageError(
            "init: needs --person, --epsilon and --out",
            "Name the column of the person, the budget and the TOML file to write.",
        )
    if Path(data).is_dir() or data.lower().endswith(DATABASES):
        drafted = draft_tables(
            data,
            person=person,
            epsilon=epsilon,
            out=out,
            public=public or (),
            delta=delta or DELTA,
            types=pairs(types or [], "types"),
            agree=lambda read: agreed_types(read, declared=declared, yes=yes),
        )
        document = {
            "declaration": str(out),
            "tables": list(drafted.tables),
            "left_out": list(drafted.left_out),
            "read_from_data": list(drafted.types),
            "rows_that_count": {name: one.offered() for name, one in drafted.rows.items()},
        }
        print_result(document, folder_lines(drafted, out, person), as_json=as_json)
        return
    known: list[Read] = []

    def agree(read: Read) -> None:
        known.append(read)
        agreed(read, declared=declared, yes=yes)

    dataset = init(
        data,
        person=person,
        epsilon=epsilon,
        out=out,
        bounds={name: ends(words) for name, words in pairs(bounds or [], "bounds").items()},
        values={name: words.split(",") for name, words in pairs(values or [], "values").items()},
        rows_per_person=rows_per_person,
        table=table,
        ledger=ledger_at,
        delta=delta,
        types=pairs(types or [], "types"),
        steps=pairs(steps or [], "steps"),
        draft_from_data=draft_from_data,
        unreadable=unreadable,
        agree=agree,
    )
    read = known[0]
    print_result(
        {
            "dataset": str(out),
            "table": dataset.table,
            "columns": list(dataset.columns),
            "read_from_data": list(read.types),
            "share_of_rows_that_count": read.rows.share(read.rows.kept),
            "drafted_from_data": {"bounds": list(read.bounds), "values": list(read.values)},
        },
        [
            *read_from_data(read),
            *read.rows.lines(),
            *shared_budget(dataset, out),
            f"Ask {out} about the table {dataset.table}.",
            "Check its columns, bounds and values: analysts see them.",
        ],
        as_json=as_json,
    )


def shared_budget(dataset: Dataset, out: Path) -> list[str]:
    """Return with what other declaration of the same data a new one shares the budget."""
    if dataset.name == out.stem:
        return []
    ledger_at = Path(dataset.ledger).name
    return [f"The budget of these data is kept in {ledger_at} under the name {dataset.name}."]


@app.command(
    "ask",
    epilog='Example: indistinct database ask p.toml "SELECT COUNT(*) FROM patients" --epsilon 0.1',
)
def ask_command(  # noqa: PLR0913 - one parameter per option
    declaration: Declaration,
    question: Annotated[str, typer.Argument(help="A question in SQL.")],
    epsilon: Annotated[str | None, typer.Option(help="What this answer may cost.")] = None,
    *,
    error: Annotated[
        str | None, typer.Option(help="Pay the least epsilon whose expected error is within this.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of that error.")] = 0.95,
    dry_run: Annotated[
        bool, typer.Option(help="Give price and expected error; charge nothing.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option(help="Pay for a new draw of a question that was answered.")
    ] = False,
    groups: Annotated[
        int | None, typer.Option(min=1, help="Groups in which one person counts in full, at most.")
    ] = None,
    rows: Annotated[
        int | None, typer.Option(min=1, help="Rows of one person in each group that count in full.")
    ] = None,
    rows_in_all: Annotated[
        int | None, typer.Option(min=1, help="Rows of one person in all groups that count in full.")
    ] = None,
    full_groups: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="One person counts at most as so many groups with the most that one can have.",
        ),
    ] = None,
    delta: Annotated[
        str | None, typer.Option(help="Of the threshold, where groups are not known beforehand.")
    ] = None,
    rows_expected: Annotated[
        int | None,
        typer.Option(min=1, help="About how many rows count in a group, for the expected error."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Answer one question, here, and charge for it.

    Example: indistinct database ask patients.toml "SELECT COUNT(*) FROM patients" --epsilon 0.1
    """
    with open_session(declaration) as session:
        reply = session.ask(
            question,
            epsilon=epsilon,
            error=error,
            confidence=confidence,
            dry_run=dry_run,
            fresh=fresh,
            groups=groups,
            rows=rows,
            rows_in_all=rows_in_all,
            full_groups=full_groups,
            delta=delta,
            rows_expected=rows_expected,
        )
    print_result(reply.document(), list(sentences(reply)), as_json=as_json)


@app.command(
    "price", epilog="Example: indistinct database price p.toml questions.sql --epsilon-in-all 3"
)
def price_command(  # noqa: PLR0913 - one parameter per option
    declaration: Declaration,
    questions: Annotated[Path, typer.Argument(help="A file of questions, each ending with ;.")],
    *,
    epsilon_in_all: Annotated[
        str | None, typer.Option(help="What all of them may cost together.")
    ] = None,
    weights: Annotated[
        str | None, typer.Option(help="Shares of the questions, such as 1,1,2; equal if left out.")
    ] = None,
    rows_expected: Annotated[
        int | None,
        typer.Option(min=1, help="About how many rows count in a group, for the expected errors."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print price and expected error of several questions, and whether all fit; charge nothing.

    Example: indistinct database price patients.toml questions.sql --epsilon-in-all 3
    """
    from indistinct.questions.database import price, questions_of

    try:
        asked = questions_of(questions.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"{questions.name}: cannot be read", "Check the path.") from None
    shares = None if weights is None else [positive(one) for one in weights.split(",")]
    with open_session(declaration) as session:
        found = price(session, asked, epsilon_in_all, shares, rows_expected)
    print_result(found.document(), price_lines(asked, found), as_json=as_json)


def positive(word: str) -> float:
    """Read a weight."""
    try:
        return float(word)
    except ValueError:
        raise ParameterError("weights: must be numbers", "Write --weights 1,1,2.") from None


@app.command(
    "ledger", epilog="Example: indistinct database ledger patients.toml --json > ledger.json"
)
def ledger_command(declaration: Declaration, *, as_json: Json = False) -> None:
    """Show what was spent, and on what.

    Example: indistinct database ledger patients.toml
    """
    found = ledger(declaration)
    lines = [f"{found.spent:.9g} of {found.cap:.9g} {found.unit} spent, {found.left:.9g} left."]
    lines += [
        f"{charge['asked_at']}  {charge['analyst']}  {charge['charged']:.9g}  {charge['question']}"
        for charge in found.charges
    ]
    lines += [
        f"{one['analyst']} gets no answers: charge {one['charge']} failed ({one['error']}, "
        f"{one['closed_at']}). To answer again: indistinct database reopen {declaration} "
        f"{one['analyst']}"
        for one in found.closed
    ]
    print_result(found.document(), lines, as_json=as_json)


@app.command("reopen", epilog="Example: indistinct database reopen patients.toml alice")
def reopen_command(
    declaration: Declaration,
    analyst: Annotated[str, typer.Argument(help="Who is to get answers again.")],
    *,
    as_json: Json = False,
) -> None:
    """Answer an analyst again whose question failed after its charge.

    First look at the question with indistinct database ledger: whether it fails can tell of one
    person, so each opening gives away at most one bit.

    Example: indistinct database reopen patients.toml alice
    """
    found = reopen(declaration, analyst)
    said = "was not closed" if not found else "gets answers again"
    print_result({"analyst": analyst, "closed": found}, [f"{analyst} {said}."], as_json=as_json)


@app.command("report", epilog="Example: indistinct database report patients.toml --out report.html")
def report_command(
    declaration: Declaration,
    out: Annotated[Path, typer.Option("--out", help="The HTML file to write.")],
    registry: Annotated[
        Path | None,
        typer.Option("--registry", help="FILE.json: the entry for a registry of deployments."),
    ] = None,
    *,
    replace: ReplaceOption = False,
    as_json: Json = False,
) -> None:
    """Report what was asked, what it cost and what is left, for the owner.

    Example: indistinct database report patients.toml --out report.html
    """
    from indistinct.frontends.report.write import write_ledger_report

    refuse_standing([out, registry], replace=replace)
    found = write_ledger_report(declaration, out, registry)
    line = f"wrote {out} (for the owner alone)"
    print_result(
        {"report": str(out), "spent": found.spent, "left": found.left}, [line], as_json=as_json
    )


@app.command("token", epilog="Example: indistinct database token patients.toml alice --epsilon 1")
def token_command(  # noqa: PLR0913 - one parameter per option
    declaration: Declaration,
    name: Annotated[str, typer.Argument(help="Who gets the token.")],
    role: Annotated[str, typer.Option(help="analyst, or owner.")] = "analyst",
    epsilon: Annotated[str | None, typer.Option(help="What this analyst may spend.")] = None,
    *,
    end: Annotated[bool, typer.Option("--end", help="End the token of this name.")] = False,
    as_json: Json = False,
) -> None:
    """Let somebody ask the served dataset: print a token that is shown this once, or end it.

    A service that runs knows within ten seconds.

    Example: indistinct database token patients.toml alice --epsilon 1
    """
    if end:
        ended = end_token(declaration, name=name)
        said = f"The token of {name} is ended." if ended else f"{name} has no token."
        print_result({"name": name, "ended": ended}, [said], as_json=as_json)
        return
    token = add_analyst(declaration, name=name, role=role, epsilon=epsilon)
    print_result({"name": name, "role": role, "token": token}, [token], as_json=as_json)


@app.command("serve", epilog="Example: indistinct database serve patients.toml --port 8000")
def serve_command(
    declaration: Declaration,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where to listen.")] = 8000,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    certificate: Annotated[Path | None, typer.Option(help="TLS certificate, PEM.")] = None,
    key: Annotated[Path | None, typer.Option(help="TLS key, PEM.")] = None,
) -> None:
    """Answer questions over HTTP, to those who have a token.

    Example: indistinct database serve patients.toml --port 8000
    """
    from indistinct.questions.database import serve

    serve(declaration, host=host, port=port, certificate=certificate, key=key)
