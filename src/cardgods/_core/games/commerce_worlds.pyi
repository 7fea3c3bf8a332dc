# Only C functions; Python reaches them through State.resample.
