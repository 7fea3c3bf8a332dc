"""The registry: every module of this folder that defines GAME is a game."""
