"""Blank lines are looked for only where a line is short, in whatever parts a text is read."""

from unittest.mock import patch

import pytest
from hypothesis import given, strategies as st

from indistinct.tables.reading import short_lines, text_layout


@pytest.mark.parametrize("part", [1, 3, 1000])
@given(st.text(alphabet="ab,\r\n\t ", max_size=40))
def test_every_blank_line_is_a_short_one(part, text):
    content = text.encode()
    with patch.object(short_lines, "PART", part):
        is_short = short_lines.has_short_lines(content, len(content))
    if text_layout.BLANK_LINE.search(content) is not None:
        assert is_short
    plain = [len(line) + 1 for line in content.split(b"\n")[1:-1]]
    assert is_short == any(length < short_lines.SHORTEST for length in plain)
