"""What can be asked by HTTP, one module for each thing it is about."""
