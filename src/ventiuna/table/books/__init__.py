"""The books of a house in its database: entries appended and read, seals over their heads."""
