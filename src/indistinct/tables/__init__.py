"""Tables: read, searched, published, verified and evaluated."""
