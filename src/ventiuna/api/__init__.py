"""The public API: a function for each question, a class for each way to play.

Rules may be a Rules object or a name, cards may be text or codes. Anything outside the standard
library is loaded when a function is called.
"""
