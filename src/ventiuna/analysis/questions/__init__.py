"""What people ask of the exact analysis: options as words, results as plain data.

The command line and the server ask the same questions and give the same answers.
"""
