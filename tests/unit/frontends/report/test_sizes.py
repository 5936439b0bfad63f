"""Groups of records, people and the population: counted plainly, and as the report says them."""

import re
from collections import Counter, defaultdict

import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.report.owner.cost import precision_sentence
from indistinct.frontends.report.owner.evidence import ReportRequest, evidence_of_files
from indistinct.frontends.report.owner.sizes import alike_before
from indistinct.frontends.report.write import write_report
from indistinct.tables.evaluation.utility.distributions import ValuePrecision
from indistinct.tables.policy.specification import resolve

VISITS = pl.DataFrame(
    {
        "patient": ["a", "a", "b", "c", "c", "c", "d", "e", "f", "g"],
        "sex": ["f", "f", "f", "m", "m", "m", "m", "f", "m", "f"],
        "town": ["x", "x", "x", "y", "y", "y", "y", "x", "y", "z"],
        "illness": list("pqrspqrspq"),
    }
)
REGISTER = pl.DataFrame({"sex": list("fffmmmmmfm"), "town": list("xxxyyyyyzz")})


def policy(folder, **more):
    REGISTER.write_csv(folder / "register.csv")
    return ind.Policy.from_words(
        {
            "columns": {
                "patient": {"role": "identifier"},
                "sex": {"role": "quasi-identifier"},
                "town": {"role": "quasi-identifier", "reason": "Neighbors know it."},
                "illness": {"role": "sensitive"},
            },
            "models": [{"name": "k-anonymity", "k": 2}],
            "method": {"algorithm": "optimal", "max_suppression": 0.2},
            **more,
        },
        folder,
    )


def test_groups_people_and_population_are_those_of_a_plain_count(tmp_path):
    asked = policy(tmp_path, data={"person": "patient"}, population={"data": "register.csv"})
    found = alike_before(VISITS, resolve(asked))
    people = defaultdict(set)
    for patient, sex, town, _ in VISITS.rows():
        people[sex, town].add(patient)
    records = Counter((sex, town) for _, sex, town, _ in VISITS.rows())
    register = Counter(REGISTER.rows())
    plain = Counter((records[one], len(people[one]), register[one]) for one in records)
    assert found.people is not None
    assert found.population is not None
    groups = zip(
        found.records.tolist(), found.people.tolist(), found.population.tolist(), strict=True
    )
    assert Counter(groups) == plain


def written(folder, **more):
    asked = policy(folder, **more)
    VISITS.write_csv(folder / "visits.csv")
    release = ind.anonymize(VISITS, asked, seed=1)
    release.write(folder / "out.csv", crosswalk=folder / "walk.csv")
    return asked, str(folder / "out.csv"), str(folder / "visits.csv")


def test_with_the_crosswalk_the_figures_count_people(tmp_path):
    asked, out, original = written(tmp_path, data={"person": "patient"})
    found = evidence_of_files(
        out, asked, original, ReportRequest("out.csv"), crosswalk=tmp_path / "walk.csv"
    )
    walk = pl.read_csv(tmp_path / "walk.csv").filter(pl.col("output_row") >= 0)
    released = pl.read_csv(out)
    whose = VISITS["patient"].to_list()
    people = defaultdict(set)
    for output, original_row in walk.select("output_row", "input_row").rows():
        people[released[output, "sex"], released[output, "town"]].add(whose[original_row])
    assert found.in_people
    assert sorted(found.after.people.tolist()) == sorted(map(len, people.values()))
    assert min(map(len, people.values())) >= 2
    write_report(out, asked, original, tmp_path / "r.html", crosswalk=tmp_path / "walk.csv")
    text = (tmp_path / "r.html").read_text()
    assert "counted in people" in text
    assert "Unique people: no other has the same values" in text
    assert re.search(r"Of 7 people, \d have no record in the release", text)


def test_without_the_crosswalk_the_report_says_that_it_counts_records(tmp_path):
    asked, out, original = written(tmp_path, data={"person": "patient"})
    write_report(out, asked, original, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert "This table counts records." in text
    assert "counted in records" in text


def test_the_journalist_is_measured_before_and_after(tmp_path):
    asked, out, original = written(tmp_path, population={"data": "register.csv"})
    write_report(out, asked, original, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    row = re.search(r"\(journalist\)</th><td[^>]*>([^<]*)</td><td[^>]*>([^<]*)</td>", text)
    assert row is not None
    # The group (f, z) has one person of the register.
    assert row[1] == "certain"
    assert row[2].startswith("1 in ")


def test_a_role_stands_beside_its_reason(tmp_path):
    asked, out, original = written(tmp_path)
    write_report(out, asked, original, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert "Neighbors know it." in text
    assert text.count("The policy gives no reason.") == 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("age", 1.0, 1.0, 1.0, 0.0, ""), "The column age is unchanged. Every analysis of it"),
        (
            ("age", 0.679, 10.0, 0.906, 0.0061, ""),
            (
                "The value of age is exact in 67.9% of the records, known to a range of 10 or "
                "better in 90.6% of the records, known less exactly in 8.8% of them and hidden in "
                "0.61% of them."
            ),
        ),
        (
            ("born", 0.0, 3653.0, 0.898, 0.102, "days"),
            (
                "The value of born is known to 10 years or better in 89.8% of the records and "
                "hidden in 10.2% of them."
            ),
        ),
        (("born", 0.0, 28.0, 1.0, 0.0, "days"), "known to 28 days or better"),
        (("born", 0.0, 31.0, 1.0, 0.0, "days"), "known to 1 month or better"),
        (("born", 0.0, 92.0, 1.0, 0.0, "days"), "known to 3 months or better"),
        (("job", 0.0, 16.0, 0.9, 0.1, "values"), "is one of at most 16 values in 90% of"),
        (("job", 0.0, 16.0, 1.0, 1.0, "values"), "hidden in all records"),
    ],
)
def test_how_exactly_a_column_is_known_is_a_sentence(given, said):
    assert said in precision_sentence(ValuePrecision(*given))
