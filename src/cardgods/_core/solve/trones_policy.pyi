# Only C functions: see the .pxd.
