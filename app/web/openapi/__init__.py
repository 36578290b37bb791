"""The OpenAPI document, made from the routes, parameters and models that serve."""
