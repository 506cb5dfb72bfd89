"""Strategy charts: derive, price, format and print them."""
