"""Resources: what the service answers, one noun a module, as typed models.

A resource is a model and a function from a `ContentView`; it knows no request and no media type.
"""
