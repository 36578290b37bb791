"""The schema migrations, one module per revision."""
