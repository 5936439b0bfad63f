"""Checks made-up tables with code of its own: nothing here is shared with what makes them."""
