"""Where the records live: a file opened by DuckDB, or a table in PostgreSQL."""
