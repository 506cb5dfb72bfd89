"""The PAR sheet: all figures of a set of rules, each with what it rests on."""
