"""The dealer school: teaches and tests the dealer's steps, and guides a dealer at a real table.

No rules are decided here. The engine plays a round, and its events follow the order in the
documents. The school groups these events into the dealer's steps and compares the learner's steps
with them. Training shoes are stacked to bring up each level's material; they never reach a live
table.
"""
