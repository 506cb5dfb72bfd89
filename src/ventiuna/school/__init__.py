"""The dealer school: teaches and tests the dealer's steps, and guides a dealer at a real table.

No rules are decided here. The engine plays a round, and its events come in the order the documents
prescribe. The school groups them into the dealer's steps and compares the learner's steps with
them. Shoes are stacked so that the level's material comes up; they are for training and never reach
a live table.
"""
