"""All tests. With VENTIUNA_SOAK in the environment, as `make soak` sets it, they try far more."""

import os

IS_SOAK = "VENTIUNA_SOAK" in os.environ
