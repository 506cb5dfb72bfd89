"""Every function of `core` by itself: small cases, bounds and both sides of each rule."""
