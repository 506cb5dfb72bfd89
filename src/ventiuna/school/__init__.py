"""The dealer school: a dealer's steps taught and examined, and shown at a real table.

No rule is decided here. The engine plays a round, and its events come in the order that the
documents prescribe; here they are grouped into the dealer's steps, and what a learner does is
compared with them. Shoes are stacked so that what a level teaches comes up: they are for training
and never reach a live table.
"""
