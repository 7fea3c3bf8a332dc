"""The compiled core: plain structs, bit masks and tables of functions."""
