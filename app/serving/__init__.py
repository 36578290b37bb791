"""Running the application: the socket, one process that serves, and the supervisor of many."""
