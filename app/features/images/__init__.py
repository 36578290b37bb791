"""Pictures that the service makes: smaller variants of images."""
