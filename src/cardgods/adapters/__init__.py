"""Doors to other libraries, one module each; a module needs its library, the rest of the package does not."""
