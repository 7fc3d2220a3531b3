"""The HTTP API for programs, version 1."""
