"""Recoding by cutting a table into parts."""
