"""Groups that show a person with the same sensitive values in every release."""
