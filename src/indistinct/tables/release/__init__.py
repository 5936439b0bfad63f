"""What passes from the maker of a release to its reader."""
