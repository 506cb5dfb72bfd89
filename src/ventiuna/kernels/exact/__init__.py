"""Compiled loops of the exact analyzer."""
