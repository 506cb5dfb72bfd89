"""Development and release tools for Ventiuna; not part of the package."""
