"""What a release is still good for, measured from its cells by what people do with them."""
