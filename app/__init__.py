"""HTTP, settings, stores, command line and assembly: the only package that knows them."""
