"""A house and its running: opened, administered, its clocks kept."""
