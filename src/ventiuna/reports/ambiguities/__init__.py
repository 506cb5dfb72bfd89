"""Where the documents disagree or are silent: the readings, and what each is worth."""
