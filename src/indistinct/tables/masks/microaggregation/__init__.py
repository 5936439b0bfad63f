"""Groups of at least k alike records that share their mean."""
