"""The schema of release 1.0, with which migrations begin: no database is made with it any more."""

revision = "0023"
down_revision = None
