"""A column of sets in the application: from the draft to the page of the release."""

from app_visits import roles_of, searched, visiting
from indistinct.frontends.app.edits import with_roles
from indistinct.tables.publish.fictitious_patients import sample


def test_a_table_with_codes_becomes_a_release(tmp_path):
    frame = sample("patients", rows=600, seed=1, with_codes=True).select("name", "sex", "codes")
    frame.write_csv(tmp_path / "patients.csv")
    with visiting(tmp_path, tmp_path / "patients.csv") as visitor:
        assert "lists with &#34;;&#34; between the items" in visitor.get("/roles").text
        visitor.post("/roles", all="yes", **roles_of(visitor))
        assert visitor.app_state.project.policy().set_names == ("codes",)
        page = visitor.get("/hierarchies").text
        assert "Each cell is a set of items" in page
        assert "may be left out of single records" in page
        promise = visitor.get("/promise").text
        assert "finds at least" in promise
        assert "Least records that share any m labels (k)" in promise
        visitor.post("/promise/preset", preset="statistics")
        models = {one.name: one for one in visitor.app_state.project.policy().models}
        assert models["km-anonymity"].k == 3
        visitor.post("/promise", **{"1-m": "all"})
        assert visitor.app_state.project.policy().models[1].m == "all"
        visitor.post("/search/method", algorithm="optimal", max_suppression="10", time_limit="")
        document = searched(visitor).document
        page = visitor.get("/search").text
        assert "What became of the items of codes" in page
        assert "apart from the items in codes" in page
        assert f'<td class="number">{document["sets"]["codes"]["labels"]}</td>' in page


def test_a_set_of_another_role_is_no_set():
    column = {"role": "quasi-identifier", "type": "set", "separator": ";", "suppression": "items"}
    words = {
        "columns": {"codes": column, "sex": {"role": "quasi-identifier"}},
        "models": [{"name": "km-anonymity", "column": "codes", "k": 5, "m": 2}],
    }
    assert with_roles(words, {"sex": "insensitive"})["models"] == words["models"]
    changed = with_roles(words, {"codes": "identifier"})
    assert changed["columns"]["codes"] == {"role": "identifier"}
    assert changed["models"] == []
