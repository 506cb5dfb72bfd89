"""A table that is played: commands to events, events to the state, from ask to ask."""
