"""Recoding by suppressing single cells."""
