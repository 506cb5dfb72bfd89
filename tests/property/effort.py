"""How hard to search. The gate draws the same examples every time; a search new and many more:

HYPOTHESIS_PROFILE=search python -m pytest tests/property
"""

import os

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "gate")
TIMES = {"quick": 0.1, "gate": 1, "search": 20}[PROFILE]  # quick: against mutants
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

for _name in ("quick", "gate"):
    settings.register_profile(_name, derandomize=True, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("search", deadline=None, suppress_health_check=_SLOW, print_blob=True)


def examples(number: int, steps: int = 50) -> settings:
    """So many examples in the gate, and as many steps of a state machine in each."""
    profile = settings.get_profile(PROFILE)
    return settings(profile, max_examples=max(1, int(number * TIMES)), stateful_step_count=steps)
