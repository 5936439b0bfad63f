"""``indistinct graph``: publish a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.base.verdicts import Verdict
from indistinct.errors import Fault, OutputError, ParameterError, VerificationError
from indistinct.frontends.cli import DOES_NOT_HOLD, UNDECIDED
from indistinct.frontends.cli.graph_words import (
    attack_words,
    flat,
    inspection_words,
    level_words,
    release_words,
    worded,
)
from indistinct.frontends.cli.options import Command, option_of, with_options
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.terminal import print_document, print_text, say
from indistinct.graph import GRAPH_MODELS_BY_NAME, words

NAMES = tuple(GRAPH_MODELS_BY_NAME)
VERDICTS = {
    Verdict.HOLDS: "holds what its manifest promises",
    Verdict.FAILS: "does not hold what its manifest says",
    Verdict.UNDECIDED: (
        "is undecided: nothing contradicts its manifest, but not everything could be checked"
    ),
}

app = typer.Typer(
    name="graph", help="Publish a graph that protects its vertices.", no_args_is_help=True
)

Edges = Annotated[
    Path,
    typer.Argument(
        metavar="EDGES", help="Edge list (CSV, TSV, spaces), METIS or GraphML; may end in .gz."
    ),
]
Vertices = Annotated[
    Path | None,
    typer.Option("--vertices", help="CSV of vertices: id, then attributes; isolated ones too."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Seed = Annotated[
    int | None, typer.Option("--seed", help="Make the run repeatable, for tests; keep it secret.")
]
ModelName = Annotated[str, typer.Option("--model", help=f"{', '.join(NAMES[:-1])} or {NAMES[-1]}.")]
STANDARD_STREAM = "-"
ReleasePath = Annotated[Path, typer.Argument(metavar="RELEASE", help="The released graph.")]
Original = Annotated[
    Path | None, typer.Option("--original", help="The graph the release was made from.")
]
Crosswalk = Annotated[
    Path | None, typer.Option("--crosswalk", help="The owner's CSV output_id,input_id.")
]
Manifest = Annotated[
    Path | None, typer.Option("--manifest", help="Default: RELEASE.manifest.json.")
]


def with_words(*, trials: bool = False) -> Callable[[Command], Command]:
    """Return a command an option for each word of a graph model, in the place of ``given``.

    Parameters
    ----------
    trials : whether the defaults are those of attacks
    """
    known = words(trials=trials).values()
    options = [option_of(word.name, word.kind, word.default, word.help) for word in known]
    return with_options(options, after="model")


def said(given: Mapping[str, Any], *, trials: bool = False) -> dict[str, Any]:
    """Return the words that are not left at their default, which another model would refuse."""
    known = words(trials=trials)
    return {name: value for name, value in given.items() if value != known[name].default}


@app.command("inspect", epilog="Example: indistinct graph inspect friends.csv --k 5")
def inspect_command(
    edges: Edges,
    k: Annotated[int, typer.Option("--k", help="Classes below this size count as small.")] = 5,
    vertices: Vertices = None,
    *,
    as_json: Json = False,
) -> None:
    """See how well vertices can be told apart in a graph as it stands.

    Example: indistinct graph inspect friends.csv
    """
    from indistinct.graph import inspect as run, read

    document = run(read(edges, vertices=vertices), k=k)
    show(document, as_json=as_json, words=inspection_words)


@app.command(
    "anonymize",
    epilog="Example: indistinct graph anonymize friends.csv --model k-degree --k 5 --out out.csv",
)
@with_words()
def anonymize_command(  # noqa: PLR0913, PLR0917 - each is an option of the command
    edges: Edges,
    out: Annotated[
        Path, typer.Option("--out", help="Edge list with header source,target; - is stdout.")
    ],
    model: ModelName = "k-degree",
    seed: Seed = None,
    crosswalk: Annotated[
        Path | None, typer.Option("--crosswalk", help="CSV output_id,input_id for the owner.")
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", help="Default: OUT.manifest.json.")
    ] = None,
    vertices: Vertices = None,
    keep: Annotated[
        str, typer.Option("--keep", help="Vertex attributes to release, separated by commas.")
    ] = "",
    *,
    replace: ReplaceOption = False,
    as_json: Json = False,
    **given: Any,
) -> None:
    """Change edges as the model wants, drop names and number vertices anew.

    Example: indistinct graph anonymize friends.csv --model k-degree --k 5 --out out.csv
    --crosswalk secret.csv
    """
    from indistinct.graph import anonymize, check_output, read

    check_output(out)
    files = [value for value in given.values() if isinstance(value, Path)]
    check_apart([*inputs_of(edges, vertices), *files], [*written(out, manifest), crosswalk])
    refuse_standing([*written(out, manifest), crosswalk], replace=replace)
    release = anonymize(
        read(edges, vertices=vertices),
        model,
        keep=[name for name in keep.split(",") if name],
        seed=seed,
        **said(given),
    )
    release.write(out, crosswalk, manifest)
    if str(out) == STANDARD_STREAM:
        say(release.document["left_out"])
    else:
        show(dict(release.document), as_json=as_json, words=release_words)


@app.command(
    "assess",
    epilog="Example: indistinct graph assess out.csv --original friends.csv --require k>=5",
)
def assess_command(  # noqa: PLR0913, PLR0917 - each is an option of the command
    release: ReleasePath,
    original: Original = None,
    crosswalk: Crosswalk = None,
    require: Annotated[
        list[str] | None,
        typer.Option("--require", help="k>=5, h2>=2, h3>=2, neighborhood>=2; sets the exit code."),
    ] = None,
    worlds: Annotated[
        int, typer.Option("--worlds", help="Worlds drawn from a release by grouping.")
    ] = 20,
    manifest: Manifest = None,
    seed: Seed = 0,
    *,
    as_json: Json = False,
) -> None:
    """Measure what a released graph protects and what it cost.

    Example: indistinct graph assess out.csv --original friends.csv --crosswalk secret.csv
    --require 'k>=5'
    """
    from indistinct.graph import assess, read, read_crosswalk, unmet

    document = assess(
        release,
        original=None if original is None else read(original),
        crosswalk=None if crosswalk is None else read_crosswalk(crosswalk),
        worlds=worlds,
        seed=seed,
        manifest=manifest,
    )
    missing = unmet(require or [], document["levels"])
    show(document, as_json=as_json, words=lambda found: level_words(found["levels"]))
    if missing:
        raise VerificationError(
            [Fault("require", f"{text} does not hold", "See the levels.") for text in missing]
        )


@app.command(
    "verify",
    epilog="Example: indistinct graph verify out.csv --original friends.csv --crosswalk secret.csv",
)
def verify_command(
    release: ReleasePath,
    original: Original = None,
    crosswalk: Crosswalk = None,
    manifest: Manifest = None,
    *,
    as_json: Json = False,
) -> None:
    """Check a released graph against what its manifest promises; exit 1 unless it holds.

    Example: indistinct graph verify out.csv --original friends.csv --crosswalk secret.csv
    """
    from indistinct.graph import verify

    if crosswalk is not None and original is None:
        problem = "is compared with the original, which is not given"
        raise ParameterError([Fault("crosswalk", problem, "Give --original, too.")])
    result = verify(release, original=original, crosswalk=crosswalk, manifest=manifest)
    if as_json:
        show(result.document(), as_json=True)
    else:
        print_text(f"The release {VERDICTS[result.verdict]}.")
        for fault in result.faults:
            print_text(f"- {fault}")
        for text in result.undecided:
            print_text(f"- Undecided: {text}.")
        for text in result.notes:
            print_text(f"- Note: {text}.")
        show(dict(result.found), as_json=False)
    if result.holds is not True:
        raise typer.Exit(UNDECIDED if result.holds is None else DOES_NOT_HOLD)


@app.command("sample", epilog="Example: indistinct graph sample out.csv --worlds 10 --out worlds")
def sample_command(  # noqa: PLR0913 - each is an option of the command
    release: ReleasePath,
    out: Annotated[
        Path, typer.Option("--out", help="Folder for world-01.csv and so on; made if missing.")
    ],
    worlds: Annotated[int, typer.Option("--worlds", help="How many worlds to draw.")] = 10,
    manifest: Manifest = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Makes the worlds repeatable.")] = None,
    *,
    replace: ReplaceOption = False,
    as_json: Json = False,
) -> None:
    """Draw graphs that a release by grouping leaves possible, and write them as edge lists.

    Example: indistinct graph sample groups.csv --worlds 3 --out worlds
    """
    from indistinct.graph import sample_worlds, write_worlds

    refuse_standing(sorted(out.glob("world-*.csv")), replace=replace)
    graphs = sample_worlds(release, worlds=worlds, seed=seed, manifest=manifest)
    files = write_worlds(graphs, out)
    document = {
        "worlds": len(files),
        "vertices": graphs[0].n_vertices,
        "edges": graphs[0].n_edges,
        "files": [file.name for file in files],
    }
    show(document, as_json=as_json)


@app.command(
    "attack",
    epilog="Example: indistinct graph attack friends.csv --attack walk --model k-degree --k 5",
)
@with_words(trials=True)
def attack_command(  # noqa: PLR0913, PLR0917 - each is an option of the command
    edges: Edges,
    attack: Annotated[
        str,
        typer.Option(
            "--attack", help="walk, passive, degree, refinement, collusion or membership."
        ),
    ] = "walk",
    model: ModelName = "naive",
    trials: Annotated[int, typer.Option("--trials", help="Releases to attack.")] = 20,
    size: Annotated[
        int | None, typer.Option("--size", help="Planted or colluding vertices.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", help="i of H_i, for refinement.")] = 2,
    seed: Seed = None,
    *,
    as_json: Json = False,
    **given: Any,
) -> None:
    """Publish your own graph as a model would, attack the release, count what is found.

    Example: indistinct graph attack friends.csv --attack walk --model k-degree --k 5
    """
    from indistinct.graph import attack as run, read

    document = run(
        read(edges),
        attack=attack,  # pyright: ignore[reportArgumentType] - checked there, in words
        model=model,
        trials=trials,
        size=size,
        rounds=rounds,
        seed=seed,
        **said(given, trials=True),
    )
    show(document, as_json=as_json, words=attack_words)


@app.command(
    "report",
    epilog="Example: indistinct graph report out.csv --original friends.csv --out report.html",
)
def report_command(  # noqa: PLR0913 - each is an option of the command
    release: Annotated[Path, typer.Argument(help="The released graph, its manifest beside it.")],
    out: Annotated[Path, typer.Option("--out", help="The HTML file to write.")],
    original: Annotated[
        Path | None, typer.Option("--original", help="The graph it was made from.")
    ] = None,
    crosswalk: Crosswalk = None,
    *,
    public: Annotated[
        bool, typer.Option("--public", help="The page for readers; takes no original.")
    ] = False,
    replace: ReplaceOption = False,
    as_json: Json = False,
) -> None:
    """Write a report on a released graph that somebody can decide on.

    Example: indistinct graph report out.csv --original friends.csv --crosswalk secret.csv --out
    report.html
    """
    from indistinct.frontends.report.write import write_graph_report

    refuse_standing([out], replace=replace)
    holds = write_graph_report(release, out, original, crosswalk, public=public)
    show({"report": str(out), "public": public, "holds": holds}, as_json=as_json)


def inputs_of(edges: Path, vertices: Path | None) -> list[Path | None]:
    """List what a release is made from, with the file of vertices that stands beside the edges."""
    from indistinct.graph import VERTEX_SUFFIX, companion_of

    return [edges, vertices or companion_of(edges, VERTEX_SUFFIX)]


def written(out: Path, manifest: Path | None) -> list[Path]:
    """List what a release at ``out`` may write."""
    from indistinct.graph import SUFFIXES, companion_of, manifest_of

    return [out, manifest_of(out, manifest), *(companion_of(out, suffix) for suffix in SUFFIXES)]


def check_apart(inputs: Sequence[Path | None], outputs: Sequence[Path | None]) -> None:
    """Raise :class:`OutputError` when an output is an input."""
    faults = [
        Fault(file.name, "is the input itself", "Choose another name for the output.")
        for file in outputs
        if file is not None
        and file.exists()
        and any(one is not None and one.exists() and file.samefile(one) for one in inputs)
    ]
    if faults:
        raise OutputError(faults)


def show(
    document: dict[str, Any],
    *,
    as_json: bool,
    words: Callable[[Mapping[str, Any]], Iterable[str]] | None = None,
) -> None:
    """Print a document: JSON for programs; for people sentences first, then a line per entry."""
    if as_json:
        print_document(document)
        return
    if words is not None:
        print_text("\n".join([*words(document), ""]))
    for name, value in flat(document):
        print_text(f"{name:<34} {worded(value)}")
