"""All tests. With VENTIUNA_SOAK set, as in `make soak`, they try far more cases."""

import os

IS_SOAK = "VENTIUNA_SOAK" in os.environ
