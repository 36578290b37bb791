"""HTTP, settings, stores, command line and assembly: no other package imports them."""
