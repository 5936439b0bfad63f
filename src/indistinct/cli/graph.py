"""``indistinct graph``: publish a graph."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.errors import Fault, OutputError, ParameterError, VerificationError

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
ModelName = Annotated[
    str,
    typer.Option(
        "--model",
        help="naive, k-degree, k-neighborhood, grouping, random-perturbation or random-switch.",
    ),
]
LeastSize = Annotated[int | None, typer.Option("--k", help="Least size of a class.")]
ModeName = Annotated[
    str, typer.Option("--mode", help="How edges may change: add, delete or mixed.")
]
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
Share = Annotated[
    float, typer.Option("--share", help="Share of edges the random models change, 0 to 1.")
]


@app.command("inspect", epilog="Example: indistinct graph inspect friends.csv --k 5")
def inspect_command(
    edges: Edges,
    k: Annotated[int, typer.Option("--k", help="Classes below this size count as small.")] = 5,
    vertices: Vertices = None,
    *,
    as_json: Json = False,
) -> None:
    """See how well vertices can be told apart in a graph as it stands."""
    from indistinct.graph.inspection import inspect
    from indistinct.graph.reading import read

    document = inspect(read(edges, vertices=vertices), k=k)
    show(document, as_json=as_json)


@app.command(
    "anonymize",
    epilog="Example: indistinct graph anonymize friends.csv --model k-degree --k 5 --out out.csv",
)
def anonymize_command(  # noqa: PLR0913, PLR0917 - each is an option of the command
    edges: Edges,
    out: Annotated[
        Path, typer.Option("--out", help="Edge list with header source,target; - is stdout.")
    ],
    model: ModelName = "k-degree",
    k: LeastSize = None,
    mode: ModeName = "mixed",
    share: Share = 0.05,
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
    labels: Annotated[
        str | None, typer.Option("--labels", help="Vertex attribute neighborhoods must respect.")
    ] = None,
    hierarchy: Annotated[
        Path | None,
        typer.Option("--hierarchy", help="CSV of broader words for the labels: a row per value."),
    ] = None,
    label_weight: Annotated[
        float, typer.Option("--label-weight", help="Edges one fully hidden label is worth.")
    ] = 1.0,
    time_limit: Annotated[
        float, typer.Option("--time-limit", help="Seconds, for k-neighborhood.")
    ] = 300.0,
    max_loss: Annotated[
        float, typer.Option("--max-loss", help="Share of edges k-neighborhood may change.")
    ] = 0.5,
    max_certain: Annotated[
        float | None,
        typer.Option(
            "--max-certain", help="Share of edges that may be certain in a grouping, such as 0.01."
        ),
    ] = None,
    *,
    realization: Annotated[
        str,
        typer.Option(help="For k-degree: repair, supergraph, probing, construct or priority."),
    ] = "repair",
    greedy: Annotated[bool, typer.Option("--greedy", help="Greedy target degrees.")] = False,
    as_json: Json = False,
) -> None:
    """Change edges as the model wants, drop names and number vertices anew."""
    from indistinct.graph.anonymization import anonymize
    from indistinct.graph.reading import read

    check_apart(inputs_of(edges, vertices, hierarchy), [*written(out, manifest), crosswalk])
    release = anonymize(
        read(edges, vertices=vertices),
        model,  # pyright: ignore[reportArgumentType] - checked there, in words
        k=k,
        mode=mode,  # pyright: ignore[reportArgumentType] - the same
        share=share,
        greedy=greedy,
        realization=realization,  # pyright: ignore[reportArgumentType] - the same
        labels=labels,
        hierarchy=hierarchy,
        label_weight=label_weight,
        keep=[name for name in keep.split(",") if name],
        seed=seed,
        time_limit=time_limit,
        max_loss=max_loss,
        max_certain=max_certain,
    )
    release.write(out, crosswalk, manifest)
    if str(out) != STANDARD_STREAM:
        show(dict(release.document), as_json=as_json)


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
    """Measure what a released graph protects and what it cost."""
    from indistinct.graph.assessment import assess, read_crosswalk, unmet
    from indistinct.graph.reading import read

    document = assess(
        release,
        None if original is None else read(original),
        crosswalk=None if crosswalk is None else read_crosswalk(crosswalk),
        worlds=worlds,
        seed=seed,
        manifest=manifest,
    )
    missing = unmet(require or [], document["levels"])
    show(document, as_json=as_json)
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
    """Check a released graph against what its manifest promises; exit 1 unless it holds."""
    from indistinct.graph.verification import verify

    if crosswalk is not None and original is None:
        problem = "is compared with the original, which is not given"
        raise ParameterError([Fault("crosswalk", problem, "Give --original, too.")])
    result = verify(release, original, crosswalk=crosswalk, manifest=manifest)
    if as_json:
        show(result.document(), as_json=True)
    else:
        typer.echo(f"The release {worded_verdict(result.holds)}.")
        for fault in result.faults:
            typer.echo(f"- {fault}")
        for text in result.undecided:
            typer.echo(f"- Undecided: {text}.")
        for text in result.notes:
            typer.echo(f"- Note: {text}.")
        show(dict(result.found), as_json=False)
    if result.holds is not True:
        raise typer.Exit(1)


def worded_verdict(holds: bool | None) -> str:  # noqa: FBT001 - a verdict, not a switch
    """Write a verdict for people."""
    if holds is None:
        return "is undecided: nothing contradicts its manifest, but not everything could be checked"
    return "holds what its manifest promises" if holds else "does not hold what its manifest says"


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
    as_json: Json = False,
) -> None:
    """Draw graphs that a release by grouping leaves possible, and write them as edge lists."""
    from indistinct.graph.worlds import sample_worlds, write_worlds

    graphs = sample_worlds(release, worlds, seed=seed, manifest=manifest)
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
def attack_command(  # noqa: PLR0913, PLR0917 - each is an option of the command
    edges: Edges,
    attack: Annotated[
        str, typer.Option("--attack", help="walk, passive, degree, refinement or collusion.")
    ] = "walk",
    model: ModelName = "naive",
    k: LeastSize = None,
    mode: ModeName = "mixed",
    share: Share = 0.05,
    trials: Annotated[int, typer.Option("--trials", help="Releases to attack.")] = 20,
    size: Annotated[
        int | None, typer.Option("--size", help="Planted or colluding vertices.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", help="i of H_i, for refinement.")] = 2,
    seed: Seed = None,
    *,
    as_json: Json = False,
) -> None:
    """Publish your own graph as a model would, attack the release, count what is found."""
    from indistinct.graph.reading import read
    from indistinct.graph.red_team import attack as run

    document = run(
        read(edges),
        attack,  # pyright: ignore[reportArgumentType] - checked there, in words
        model=model,  # pyright: ignore[reportArgumentType] - the same
        k=k,
        mode=mode,  # pyright: ignore[reportArgumentType] - the same
        share=share,
        trials=trials,
        size=size,
        rounds=rounds,
        seed=seed,
    )
    show(document, as_json=as_json)


def inputs_of(edges: Path, vertices: Path | None, hierarchy: Path | None) -> list[Path | None]:
    """List what a release is made from, with the file of vertices that stands beside the edges."""
    from indistinct.graph.companions import VERTEX_SUFFIX, beside

    return [edges, vertices or beside(edges, VERTEX_SUFFIX), hierarchy]


def written(out: Path, manifest: Path | None) -> list[Path]:
    """List what a release at ``out`` may write."""
    from indistinct.graph.companions import SUFFIXES, beside, manifest_of

    return [out, manifest_of(out, manifest), *(beside(out, suffix) for suffix in SUFFIXES)]


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


def show(document: dict[str, Any], *, as_json: bool) -> None:
    """Print a document: JSON for programs, a line per entry for people."""
    if as_json:
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
        return
    for name, value in flat(document):
        typer.echo(f"{name:<34} {worded(value)}")


def flat(document: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """List the entries of nested documents by dotted names."""
    rows: list[tuple[str, Any]] = []
    for name, value in document.items():
        if isinstance(value, dict):
            rows += flat(value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType] - JSON
        else:
            rows.append((f"{prefix}{name}", value))
    return rows


def worded(value: object) -> str:
    """Write a value for people."""
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
