"""How thoroughly properties are tried: ``fast`` unless HYPOTHESIS_PROFILE says otherwise."""

import os

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "fast", deadline=None, max_examples=50, suppress_health_check=SLOW_IS_FINE, print_blob=True
)
settings.register_profile(
    "nightly", deadline=None, max_examples=2000, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
