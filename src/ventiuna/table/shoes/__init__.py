"""Fair shoes: committed before the cut, dealt, and checked by anybody afterwards."""
