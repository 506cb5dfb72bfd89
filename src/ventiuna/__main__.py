"""`python -m ventiuna`: the command `ventiuna`."""

from ventiuna.cli import main

if __name__ == "__main__":
    main()
