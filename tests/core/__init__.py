"""Unit tests for every function in `core`: small cases, bounds and both sides of each rule."""
