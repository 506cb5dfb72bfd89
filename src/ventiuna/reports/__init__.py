"""Sheets for people: PAR sheet, posting sheet, strategy cards, certificate, readings of the rules.

Each is a study (figures), plain data of it, and a `pages.document.Document` that one set of
templates turns into HTML and PDF. The same input gives the same bytes.
"""
