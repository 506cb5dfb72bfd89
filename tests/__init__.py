"""All tests. With VENTIUNA_SOAK in the environment, as set by `make soak`, they try far more."""

import os

IS_SOAK = "VENTIUNA_SOAK" in os.environ
