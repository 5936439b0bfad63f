"""What a data owner promises, as checked values."""
