"""The pages: a file each, with what it shows and what its forms do."""
