"""What there is to see of each game: a module for each, of its name, with a function ``scene``."""
