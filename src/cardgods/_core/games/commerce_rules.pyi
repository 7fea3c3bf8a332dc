# Only C functions; Python reaches them through the State.
