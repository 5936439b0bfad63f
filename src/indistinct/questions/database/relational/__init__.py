"""Questions over declared tables: read, turned into owned relations, limited, measured."""
