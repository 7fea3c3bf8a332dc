"""One file per game: how its positions are shown (the contract is in :mod:`cardgods_cli.render`)."""
