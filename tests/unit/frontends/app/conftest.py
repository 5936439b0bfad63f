"""What several tests of the application take."""

import pytest

from indistinct.frontends.app.texts import GERMAN, language


@pytest.fixture
def german():
    """Ask for pages in German."""
    token = language.set(GERMAN)
    yield
    language.reset(token)
