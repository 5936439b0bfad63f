"""Databases that keep the ledger: a SQLite file, or PostgreSQL for several servers."""
