"""Reports to read and print: PAR sheet, posting sheet, strategy card, certificate, layout."""
