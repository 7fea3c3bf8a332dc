# Only C functions; Python reaches them through commerce_mini_learn and commerce_mini_exact.
