"""Rounds by the billion: plans, seeds, blocks, results that merge, executors."""
