from typing import final

from cardgods._core.solve.commerce_mini_game import MiniGame
from cardgods._core.walk import Cancel

@final
class Response:
    game: MiniGame
    seat: int
    shards: int
    def __init__(
        self, game: MiniGame, profile: bytes, seat: int, shards: int = 4, best: bool = True
    ) -> None: ...
    def compare(self, shard: int, level: int, cancel: Cancel) -> int: ...
    def close(self, level: int) -> None: ...
    def value(self, shard: int, cancel: Cancel) -> float: ...
    def choices(self) -> bytes: ...
