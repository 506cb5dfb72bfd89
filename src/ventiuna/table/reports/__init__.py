"""The daily report of a house: drop, win and hold, meters, what was to be expected."""
