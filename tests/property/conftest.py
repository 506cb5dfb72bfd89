"""Hypothesis: the gate draws the same examples every time; a search draws new and more ones.

HYPOTHESIS_PROFILE=search python -m pytest tests/property
"""

import os

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile(
    "gate", derandomize=True, deadline=None, max_examples=100, suppress_health_check=_SLOW
)
settings.register_profile(
    "search", deadline=None, max_examples=2000, suppress_health_check=_SLOW, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))
