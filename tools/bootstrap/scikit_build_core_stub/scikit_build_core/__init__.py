"""Stands in for the build backend while pip downloads a source archive (see build.py)."""
