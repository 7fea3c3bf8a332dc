"""No Python names: see vm.pxd."""
