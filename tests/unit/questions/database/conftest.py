"""Sessions over small tables."""

from __future__ import annotations

import pytest

from people import opened, person


@pytest.fixture
def session(tmp_path):
    """Three hundred people, a large budget."""
    with opened(tmp_path, [person(n) for n in range(300)]) as found:
        yield found
