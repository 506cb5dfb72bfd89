"""The one writer of a process: tables loaded, commands carried out together, rows committed."""
