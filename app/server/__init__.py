"""Running the application: the listening socket, a serving process, and the supervisor."""
