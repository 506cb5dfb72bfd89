"""Who plays how: charts, counts, built-in players, and files of them."""
