"""What HTTP handlers share: parameters and bodies in, responses and their headers out."""
