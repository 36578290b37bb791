"""Resources: the typed models that the service returns, one noun per module.

A resource is a model and a function that builds it from a `ContentView`. It does not depend on
the request or on the media type.
"""
