"""The dealer's school: the steps of a dealer taught, examined, and told at a real table.

No rule is decided here. A round is played by the engine, whose events come in the order of the
documents; here they are grouped into the steps that a dealer does, and what a learner does is
compared with them. Its shoes are stacked so that what a level teaches comes up: they are for
training and have no way to a live table.
"""
