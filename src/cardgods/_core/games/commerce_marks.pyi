# Only C functions.
