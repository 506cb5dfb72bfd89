"""Rewrite counts.json."""

from tests.exhaustive.packs import write_golden

if __name__ == "__main__":
    write_golden()
