"""Verification of related tables."""
