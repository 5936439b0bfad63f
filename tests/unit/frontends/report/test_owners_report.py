"""The owner's report: eight sections that say what was measured, in whole sentences."""

import json
import re
from hashlib import sha256

import polars as pl
import pytest

import indistinct as ind
from indistinct.base.statements.number_texts import chance, percent
from indistinct.errors import OutputError, ParameterError
from indistinct.frontends.report.levels import level_blocks
from indistinct.frontends.report.owner.evidence import ReportRequest, evidence_of_files
from indistinct.frontends.report.owner.page import owners_page
from indistinct.frontends.report.pages import html_of
from indistinct.frontends.report.thresholds import threshold_of
from indistinct.frontends.report.write import write_release_report

SECTIONS = [
    "Verdict",
    "Context of the release",
    "The data",
    "The promise",
    "Risk before and after",
    "What it cost",
    "What this does not protect against",
    "How to repeat it",
]
PATIENTS = ind.sample("patients", rows=600).select(
    "name", "birth_date", "sex", "postcode", "height_cm", "diagnosis"
)


def policy(**more):
    words = {
        "columns": {
            "name": {"role": "identifier"},
            "birth_date": {"role": "quasi-identifier", "hierarchy": {"dates": ["year", "decade"]}},
            "sex": {"role": "quasi-identifier"},
            "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
            "height_cm": {"role": "insensitive"},
            "diagnosis": {"role": "sensitive"},
        },
        "models": [
            {"name": "k-anonymity", "k": 4},
            {"name": "distinct-l-diversity", "column": "diagnosis", "l": 2},
        ],
        "method": {"algorithm": "local"},
    }
    return ind.Policy(**{**words, **more})


@pytest.fixture(scope="module")
def release():
    return ind.anonymize(PATIENTS, policy(), seed=1)


@pytest.fixture(scope="module")
def text(release, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    release.report(path, name="patients-release.csv")
    return path.read_text("utf-8")


def words_of(text):
    body = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


def test_the_sections_stand_in_their_order(text):
    titles = re.findall(r'<h2><span class="number-of-section">\d</span> (.*?)</h2>', text)
    assert titles == SECTIONS


def test_the_verdict_and_its_figures_are_those_of_the_release(release, text):
    values = re.findall(r'<dd class="value">(.*?)</dd>', text)
    stated = release.owner["statements"]
    assert values == [
        "yes",
        "100%",
        percent(stated["kept"]["share"]),
        chance(stated["risk"]["highest"]["chance"]),
    ]
    assert "The promise holds." in text


def test_every_printed_page_says_that_it_is_confidential(text):
    assert '<p class="marking" aria-hidden="true">Confidential:' in text
    assert re.search(
        r"@media print \{.*\.marking \{ display: block; position: fixed", text, re.DOTALL
    )


def test_a_release_that_does_not_hold_is_said_in_red(tmp_path):
    """A written release of which somebody took the greater part of a class away."""
    release = ind.anonymize(PATIENTS, policy(), seed=1)
    release.write(tmp_path / "r.csv")
    frame = pl.read_csv(tmp_path / "r.csv", infer_schema=False)
    frame.unique(["birth_date", "sex", "postcode"]).write_csv(tmp_path / "r.csv")
    # Whoever changes a release changes the hash beside it, too.
    beside = tmp_path / "r.csv.manifest.json"
    manifest = json.loads(beside.read_text("utf-8"))
    manifest["output"]["sha256"] = sha256((tmp_path / "r.csv").read_bytes()).hexdigest()
    beside.write_text(json.dumps(manifest), "utf-8")
    evidence = evidence_of_files(
        str(tmp_path / "r.csv"), policy(), PATIENTS, ReportRequest("r.csv")
    )
    page = html_of(owners_page(evidence))
    assert '<div class="callout bad"><p><strong>Do not publish this table' in page
    assert re.search(r'class="figure bad"><dt>Promise held</dt><dd class="value">no<', page)


def test_the_context_of_the_policy_fills_the_form(tmp_path):
    said = {
        "purpose": "Research on falls",
        "contact": "The data office",
        "approved_on": "2026-05-01",
    }
    ind.anonymize(PATIENTS, policy(context=said), seed=1).report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    for value in said.values():
        assert f"<dd>{value}</dd>" in page
    assert page.count('class="blank"') == 6
    assert "Some entries are missing." in page


def test_the_context_does_not_change_what_is_promised():
    assert policy().sha256 == policy(context={"purpose": "Research"}).sha256
    with pytest.raises(ind.PolicyError, match=r"context\.aim"):
        policy(context={"aim": "Research"})


def test_risk_before_and_after_is_counted(release, text):
    """By a group-by of its own."""
    names = ["birth_date", "sex", "postcode"]
    for frame in (PATIENTS, release.frame):
        sizes = frame.group_by(names).len()["len"]
        above = sizes.filter(sizes < 11).sum() / frame.height
        assert re.search(rf"with a risk above 1 in 11</th>.*{above:.1%}".replace(".0%", "%"), text)
        assert f"{len(sizes) / frame.height:.1%}".replace(".0%", "%") in text


@pytest.mark.parametrize(
    ("word", "risk"), [("0.2", 0.2), (0.33, 0.33), ("health-canada", 1 / 11), (None, 1 / 11)]
)
def test_a_threshold_is_a_number_or_a_document(word, risk):
    assert threshold_of(word).risk == pytest.approx(risk)


@pytest.mark.parametrize("word", ["0", "-1", "1.5", "nan", "ema"])
def test_what_is_no_risk_is_refused(word):
    with pytest.raises(ParameterError, match="risk-threshold"):
        threshold_of(word)


def test_groups_of_eleven_keep_to_the_documents(tmp_path):
    """One in eleven is 0.0909: the documents write 0.09 and mean it."""
    promise = [{"name": "k-anonymity", "k": 11}]
    release = ind.anonymize(PATIENTS, policy(models=promise), seed=1)
    release.report(tmp_path / "r.html")
    assert "No record is above the threshold." in (tmp_path / "r.html").read_text("utf-8")


def test_models_and_their_limits_are_said_in_sentences(text):
    said = words_of(text)
    assert "belongs to a group of at least 4 records" in said
    assert "the column diagnosis has at least 2 different values" in said
    assert "k-anonymity: It does not protect sensitive values: if all records" in said
    assert "height_cm is declared insensitive and is released unchanged" in said


def test_whom_to_ask_stands_under_the_verdict(tmp_path):
    release = ind.anonymize(PATIENTS, policy(context={"contact": "The data office"}), seed=1)
    release.report(tmp_path / "r.html")
    verdict, _, _ = (tmp_path / "r.html").read_text("utf-8").partition('<section id="context"')
    assert "Whom to ask about this release: The data office." in verdict


def test_a_seed_is_part_of_the_commands_to_repeat(release, text, tmp_path):
    write_release_report(release, tmp_path / "r.html", seed=1234)
    said = words_of((tmp_path / "r.html").read_text("utf-8"))
    assert "--seed 1234" in said
    assert "Seed 1234" in said
    assert "--seed" not in words_of(text)


def test_the_table_of_levels_has_every_level():
    """Two columns with shares at levels 0 to 2: a share that is not nothing has a number."""
    used = {"age": {"0": 0.5, "1": 0.3, "2": 0.2}, "sex": {"0": 1.0}}
    _, chart, _ = level_blocks({"levels": used})
    assert chart.table.heads == ("Column", "Unchanged", "Level 1", "Level 2")
    assert chart.table.rows == [("age", "50%", "30%", "20%"), ("sex", "100%", "-", "-")]


def test_the_policy_in_the_report_is_the_policy(text):
    import html
    import tomllib

    said = re.search(
        r"The policy, as a file policy.toml</figcaption>\s*<pre[^>]*><code>(.*?)</code>",
        text,
        re.DOTALL,
    )
    assert ind.Policy(**tomllib.loads(html.unescape(said[1]))).sha256 == policy().sha256


def test_papers_of_the_methods_are_named(text):
    assert "@article{sweeney2002," in text
    assert "machanavajjhala2007" in text
    assert "kohlmayer2012" not in text


def test_an_attack_with_a_register_is_reported(tmp_path):
    release = ind.anonymize(PATIENTS, policy(), seed=1)
    release.write(tmp_path / "r.csv", crosswalk=tmp_path / "x.csv")
    register = PATIENTS.select("name", "birth_date", "sex", "postcode")
    register.write_csv(tmp_path / "register.csv")
    evidence = evidence_of_files(
        str(tmp_path / "r.csv"),
        policy(),
        PATIENTS,
        ReportRequest("r.csv"),
        crosswalk=tmp_path / "x.csv",
        registers=[tmp_path / "register.csv"],
    )
    found = evidence.attacks[0].answer.found
    assert evidence.holds
    assert found.attempts > 0
    assert f">{found.attempts:,}</td>" in html_of(owners_page(evidence))


DIVERSE = {"name": "distinct-l-diversity", "column": "diagnosis", "l": 2}
STARS = {"algorithm": "cell-suppression", "max_suppression": 1.0}
FORMS = {
    "mask": {"release": {"suppressed": "mask"}, "method": {"max_suppression": 0.2}},
    "bounds": {"release": {"intervals": "bounds"}},
    "anatomy": {"release": {"form": "anatomy"}, "models": [DIVERSE]},
    "mondrian": {"method": {"algorithm": "mondrian"}},
    "any cell": {
        "method": STARS,
        "release": {"suppressed_cell": "any"},
        "models": [{"name": "k-anonymity", "k": 3}],
    },
}


@pytest.mark.parametrize("more", FORMS.values(), ids=FORMS)
def test_every_form_of_a_release_has_a_report(tmp_path, more):
    release = ind.anonymize(PATIENTS, policy(**more), seed=1)
    release.report(tmp_path / "r.html")
    release.report(tmp_path / "p.html", public=True)
    assert "The promise holds." in (tmp_path / "r.html").read_text("utf-8")
    assert "The promise holds." in (tmp_path / "p.html").read_text("utf-8")


@pytest.mark.parametrize(
    "mask", ["noise", {"name": "round", "base": 5}, {"name": "microaggregation", "k": 4}]
)
def test_a_protected_column_has_its_promise_in_the_report(tmp_path, mask):
    columns = {**policy().words()["columns"]}
    columns["height_cm"] = {"role": "quasi-identifier", "protect": mask}
    release = ind.anonymize(PATIENTS, policy(columns=columns), seed=1)
    release.report(tmp_path / "r.html")
    said = words_of((tmp_path / "r.html").read_text("utf-8"))
    assert release.policy.protections["height_cm"].promise.format(column="height_cm") in said


def test_a_report_goes_to_an_html_file_and_nobody_else_reads_it(tmp_path, release):
    with pytest.raises(OutputError, match="not an HTML file"):
        release.report(tmp_path / "report.txt")
    release.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_mode & 0o077 == 0


def test_hostile_names_are_escaped(tmp_path):
    name = "<script>alert('x')</script>{{ 7 * 7 }}"
    frame = pl.DataFrame({name: ["a", "a", "<img src=x>", "<img src=x>"] * 5, "s": ["u", "v"] * 10})
    columns = {name: {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}
    promise = ind.Policy(
        columns=columns, models=[{"name": "distinct-l-diversity", "column": "s", "l": 2}]
    )
    ind.anonymize(frame, promise, seed=1).report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "<script" not in page
    assert "<img" not in page
    assert "{{ 7 * 7 }}" in page


def test_earlier_releases_stand_among_the_limits(tmp_path):
    """A history of releases says in section 7 what two of them tell together."""
    for number in (1, 2):
        release = ind.anonymize(
            PATIENTS.sample(500, seed=number),
            policy(history={"person": "name"}),
            history=tmp_path / "history.db",
            seed=number,
        )
        release.write(tmp_path / f"release{number}.csv")
    release.report(tmp_path / "report.html", name="release2.csv")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "people were in an earlier release" in text[text.index("does not protect against") :]
