"""What machines read of a release: Croissant with DPV and PROV-O, and Table Schema."""
