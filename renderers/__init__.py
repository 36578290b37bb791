"""Resource → representation: the forms in which a resource is answered.

A renderer is a module with `MEDIA_TYPE` and `render(answer)`; it never fetches and never
changes what it reads.
"""
