"""People who play at random in a real house: for proofs with processes, databases and kills."""
