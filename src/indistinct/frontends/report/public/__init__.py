"""The page that may be published beside a release."""
