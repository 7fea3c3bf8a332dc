# Only C functions; Python reaches them through commerce_odds.
