"""From a file to columns with types, and from columns to a file."""
