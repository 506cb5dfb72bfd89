"""A whole house in one thread: people, links, servers, clocks and faults, all from one seed."""
