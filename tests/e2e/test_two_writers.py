"""Two releases that are written to one place at the same time."""

import threading
from pathlib import Path

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.publish.fictitious_patients import sample

WORDS = {
    "columns": {
        "sex": {"role": "quasi-identifier"},
        "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "diagnosis": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 3}],
    "method": {"max_suppression": 0.1},
}
TIMES = 12


def test_two_writers_of_one_place_leave_one_release_or_a_refused_pair(tmp_path):
    """Whoever is last, no reader takes the rows of one beside the manifest of the other."""
    policy = ind.Policy.from_words(WORDS)
    table = sample("patients", rows=200, seed=5).select(list(WORDS["columns"]))
    releases = [ind.anonymize(part, policy, seed=n) for n, part in enumerate((table, table[:150]))]
    alone = []
    for number, release in enumerate(releases):
        release.write(tmp_path / f"{number}.csv")
        alone.append((tmp_path / f"{number}.csv").read_bytes())
    assert alone[0] != alone[1]
    path = tmp_path / "together.csv"
    taken = 0
    for _ in range(TIMES):
        written_at_once(releases, path)
        assert path.read_bytes() in alone
        hidden = [one.name for one in tmp_path.iterdir() if one.name.startswith(".")]
        assert hidden == []
        try:
            verdict = ind.verify(path, policy)
        except DataError as refused:
            assert "is not the release" in str(refused)  # noqa: PT017 - one of two ends
            continue
        number = alone.index(path.read_bytes())
        assert verdict.holds == is_manifest_of(path, tmp_path / f"{number}.csv")
        taken += verdict.holds
    assert taken


def written_at_once(releases, path):
    """Let each release be written by a thread of its own, all from the same moment on."""
    start = threading.Barrier(len(releases))
    errors = []

    def write(release):
        start.wait()
        try:
            release.write(path)
        except ind.errors.IndistinctError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(release,)) for release in releases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) < len(releases)


def is_manifest_of(path: Path, other: Path) -> bool:
    """Return whether two manifests name the same file."""
    texts = [Path(f"{one}.manifest.json").read_text("utf-8") for one in (path, other)]
    sha256 = [text.split('"output"')[1].split('"sha256": "')[1][:64] for text in texts]
    return sha256[0] == sha256[1]
