"""How thoroughly properties are tried: ``fast`` unless HYPOTHESIS_PROFILE says otherwise.

``fast`` tries the same examples in every run, so that a failure is one of the change at hand;
``nightly`` looks for new ones.
"""

import os

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "fast",
    deadline=None,
    max_examples=50,
    derandomize=True,
    suppress_health_check=SLOW_IS_FINE,
    print_blob=True,
)
settings.register_profile(
    "nightly", deadline=None, max_examples=2000, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
