"""What the books tell afterwards: stories, replays, recalls of rounds, the registers of a house."""
