"""Settings for all counting tests."""

from collections.abc import Iterator

import pytest

from tests import IS_SOAK


@pytest.fixture(scope="package", autouse=True)
def only_decisions_that_matter() -> Iterator[None]:
    """Outside a soak, efficiencies leave out decisions worth less than 0.01% of the whole gain."""
    with pytest.MonkeyPatch.context() as patch:
        if not IS_SOAK:
            patch.setattr("ventiuna.counting.efficiency._WORTH_LOOKING_AT", 1e-4)
        yield
