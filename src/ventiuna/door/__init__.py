"""The library's door: one function for each question, one class for each way to play.

Each takes rules as a value or a name, and cards as text or codes. What it needs beyond the
standard library is loaded when it is called.
"""
