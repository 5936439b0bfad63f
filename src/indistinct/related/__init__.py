"""Related tables: several tables of the same people."""
