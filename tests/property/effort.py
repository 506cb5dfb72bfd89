"""How hard to search. `make test` and `make soak` draw the same examples every time; the soak draws
ten times as many. A search draws new ones, and many more:

HYPOTHESIS_PROFILE=search python -m pytest tests/property
"""

import os

from hypothesis import HealthCheck, settings

from tests import IS_SOAK

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "soak" if IS_SOAK else "gate")
TIMES = {"gate": 0.1, "soak": 1, "search": 20}[PROFILE]
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

for _name in ("gate", "soak"):
    settings.register_profile(_name, derandomize=True, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("search", deadline=None, suppress_health_check=_SLOW, print_blob=True)


def examples(number: int, steps: int = 50) -> settings:
    """Settings for `number` examples in the soak, with `steps` steps of a state machine in each."""
    profile = settings.get_profile(PROFILE)
    return settings(profile, max_examples=max(1, int(number * TIMES)), stateful_step_count=steps)
