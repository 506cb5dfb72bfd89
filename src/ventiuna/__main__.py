"""Entry point for `python -m ventiuna`."""

from ventiuna.cli import main

if __name__ == "__main__":
    main()
