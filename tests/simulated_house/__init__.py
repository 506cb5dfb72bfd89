"""A whole house in one thread: people, links, servers, clocks, and faults from one seed."""
