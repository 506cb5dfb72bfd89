"""Programs for those who build and release Ventiuna; nothing of it is in the package."""
