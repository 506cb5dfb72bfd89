"""The public API: a function for each question, a class for each way to play.

Rules can be passed as a Rules object or a name, cards as text or codes. Third-party libraries are
imported only when a function needs them.
"""
