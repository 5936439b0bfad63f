"""Names of columns that are given more than once get the next free numbers."""

from hypothesis import given, strategies as st

from indistinct.tables.reading.header_rows import numbered_names


def plainly(names):
    """Number one name after the other, and look for the first number that is free."""
    found = []
    for name in names:
        number, new = 0, name
        while name and name in found and (new == name or new in {*names, *found}):
            number += 1
            new = f"{name}.{number}"
        found.append(new)
    return found


@given(st.lists(st.sampled_from(["", "a", "b", "a.1", "a.2", "a.1.1", "b.1"]), max_size=12))
def test_every_name_is_the_first_that_is_free(names):
    assert numbered_names(names) == plainly(names)


def test_a_hundred_thousand_equal_names_take_no_longer_than_as_many_others():
    """Each has the number after the one before: none is tried again."""
    assert numbered_names(["a"] * 100_000)[-1] == "a.99999"
