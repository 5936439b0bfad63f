"""The report for the owner of the data: one file per section."""
