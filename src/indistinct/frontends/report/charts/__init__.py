"""Charts as static pictures: bars, pairs of distributions, heat maps, and the dots of a sweep."""
