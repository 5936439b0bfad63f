"""From what verification looked at to the statements about a release."""
