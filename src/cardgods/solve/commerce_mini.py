"""Small variants of Commerce: a profile by regret minimisation and what each seat could gain against it.

Three players in one deal. Seats are named by the order of play: first (on the dealer's left), second, dealer.
With three players a profile without profitable deviations guarantees nothing against several deviators, so
nothing here claims optimal play; docs/solving.md says what is claimed and how it is computed.
"""

import functools
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgpack

from cardgods._core.solve.commerce_mini_exact import Response
from cardgods._core.solve.commerce_mini_game import MiniGame
from cardgods._core.solve.commerce_mini_learn import Learner
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError, SolveError
from cardgods.games.commerce import BUY, KNOCK, TRADE, CommerceGame
from cardgods.solve.commerce_count import DealSize, deal_size
from cardgods.solve.commerce_story import Story, read_story
from cardgods.solve.whole_file import whole_file
from cardgods.work import run

SEATS = ("first", "second", "dealer")
SHARDS = 4
"""Parts of a round: fixed, so that results do not depend on the number of threads."""
ROUNDS = 300
FLOOR = 0.005
"""Probabilities below this are taken out of the profile before it is measured."""
FORMAT = "cardgods-commerce-mini-1"
SAVE_EVERY = 25
WIDTH = 8

Progress = Callable[[int, int], None]
"""Called with the rounds done and the rounds to do."""


@dataclass(frozen=True)
class Deviation:
    """What one seat can gain by leaving the profile alone.

    Attributes:
        seat: first, second or dealer.
        value: its expected points under the profile, ante included.
        best: its expected points with a best response, the others keeping to the profile.
    """

    seat: str
    value: float
    best: float

    @property
    def gain(self) -> float:
        """Points gained by deviating."""
        return self.best - self.value


class MiniSolution:
    """A profile for a small variant, measured.

    Attributes:
        game: the variant.
        rounds: rounds of learning behind it.
        seed: seed of the learning.
        size: the variant's game tree.
    """

    def __init__(
        self,
        game: CommerceGame,
        core: MiniGame,
        profile: bytes,
        rounds: int,
        seed: int | str | bytes,
        threads: int = 1,
    ) -> None:
        self.game = game
        self.rounds = rounds
        self.seed = seed
        self.size: DealSize = deal_size(game)
        self._core = core
        self._bytes = profile
        self._profile = memoryview(profile).cast("d")
        self._threads = threads

    @functools.cached_property
    def deviations(self) -> tuple[Deviation, ...]:
        """What each seat gains by its exact best response, in the order of play.

        Computed when first asked for, in seconds; in minutes if the profile mixes all actions everywhere.
        """
        return tuple(_deviation(self._core, self._bytes, seat, self._threads) for seat in range(3))

    @property
    def largest_gain(self) -> float:
        """No seat gains more points than this by deviating alone."""
        return max(deviation.gain for deviation in self.deviations)

    def policy(self, state: State) -> dict[int, float]:
        """The profile at a decision, from nothing but what the player who decides knows.

        Args:
            state: a state of the variant at which a player decides.

        Returns:
            Probability of each legal action that has any.

        Raises:
            ParameterError: if the state is of another game or nobody decides there.
        """
        player = state.current_player()
        if state.game != self.game or player < 0:
            raise ParameterError(f"the profile is for decisions of {self.game}")
        story = read_story(state.information_state(player), player, 3)
        return self._row(story)

    def policy_at(
        self, node: int, hand: Sequence[int], trades: Sequence[tuple[int, int]] = ()
    ) -> list[float]:
        """A row of the profile: knock, then buying or returning each card held, then offering each.

        Args:
            node: number of the decision (``_core/solve/commerce_mini_tables.pxd``).
            hand: the player's first hand.
            trades: pairs (card that left, card that came) of his trades.
        """
        place, slots = self._core.lookup(node, hand, trades)
        row = self._profile[WIDTH * place : WIDTH * place + WIDTH]
        cards = [row[1 + slot] for slot in slots]
        return [row[0], *cards, *([row[4 + slot] for slot in slots] if node % 4 == 0 else [])]

    def _row(self, story: Story) -> dict[int, float]:
        if story.traded_after_buy:
            # where the profile never leads: end the deal, or the decision, as simply as can be
            legal = {"turn": [KNOCK], "reply": [KNOCK]}.get(story.phase, sorted(story.hand))
            return {legal[0]: 1.0}
        reply = story.phase == "reply"
        if reply and story.buys:
            return {KNOCK: 1.0}
        if story.phase == "offer" and story.buys:
            return {min(story.hand): 1.0}
        node = 4 * story.opening_trades + (1 if reply else story.buys + 1 if story.buys else 0)
        knock, *cards = self.policy_at(node, story.first_hand, story.own_trades)
        hand = sorted(story.hand)
        if reply:
            return _positive({**dict(zip(hand, cards, strict=True)), KNOCK: knock})
        buys, offers = cards[:3], cards[3:]
        if story.phase == "turn":
            return _positive({BUY: sum(buys), TRADE: sum(offers), KNOCK: knock})
        return _shares(hand, buys if story.phase == "discard" else offers)


def _positive(policy: dict[int, float]) -> dict[int, float]:
    return {action: p for action, p in sorted(policy.items()) if p > 0}


def _shares(hand: Sequence[int], weights: Sequence[float]) -> dict[int, float]:
    total = sum(weights)
    if total == 0:  # a choice that the profile never makes
        return {hand[0]: 1.0}
    return {card: w / total for card, w in zip(hand, weights, strict=True) if w > 0}


def check_mini(game: CommerceGame) -> None:
    """Refuse variants that are not small enough.

    Raises:
        SolveError: saying what is needed.
    """
    cards = len(game.pack)
    fits = 10 <= cards <= 12 and 1 <= game.trade_cap <= 3
    if game.num_players() != 3 or game.deals != 1 or not fits:
        raise SolveError(
            f"{game} is too large to solve: it has to have three players, one deal, 10 to 12 cards "
            "and a trade cap of 1 to 3, as in mini"
        )


def solve_mini(
    game: CommerceGame,
    *,
    rounds: int = ROUNDS,
    seed: int | str | bytes = 0,
    floor: float = FLOOR,
    threads: int = 1,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> MiniSolution:
    """Learn a profile.

    Args:
        game: a small variant (see :func:`check_mini`).
        rounds: passes over all deals.
        seed: seed of the random numbers.
        floor: probabilities below it are taken out of the profile.
        threads: how many to use; the result does not depend on it.
        checkpoint: file to go on from if it exists, and to save to now and then and on Ctrl-C. The result is
            that of an uninterrupted run.
        progress: told of every round.

    Raises:
        SolveError: if the variant is too large, or the file is not a checkpoint of this run.
        ParameterError: if a number is impossible.
        KeyboardInterrupt: after saving.
    """
    check_mini(game)
    if rounds < 1 or not 0 <= floor < 1 / 7:
        raise ParameterError(f"{rounds} rounds with floor {floor}: at least 1, and from 0 to 1/7, are needed")
    core = MiniGame(game.pack, game.options.suits, game.trade_cap)
    learner = Learner(core, seed, SHARDS)
    if checkpoint is not None and checkpoint.exists():
        _load(checkpoint, game, seed, learner)
    if learner.iteration > rounds:
        raise SolveError(f"{checkpoint} holds {learner.iteration} rounds already, more than {rounds}")
    try:
        while learner.iteration < rounds:
            run(learner.run_shard, range(SHARDS), threads)
            learner.finish_round()
            if checkpoint is not None and learner.iteration % SAVE_EVERY == 0:
                _save(checkpoint, game, seed, learner)
            if progress is not None:
                progress(learner.iteration, rounds)
    finally:
        if checkpoint is not None:
            _save(checkpoint, game, seed, learner)
    return MiniSolution(game, core, learner.profile(floor), rounds, seed, threads)


def _deviation(core: MiniGame, profile: bytes, seat: int, threads: int) -> Deviation:
    keeps = Response(core, profile, seat, SHARDS, best=False)
    leaves = Response(core, profile, seat, SHARDS)

    def compare(level: int) -> Callable[[int, Cancel], int]:
        return lambda shard, cancel: leaves.compare(shard, level, cancel)

    for level in (2, 1, 0):
        run(compare(level), range(SHARDS), threads)
        leaves.close(level)
    deals = core.deal_count()
    value, best = (sum(run(response.value, range(SHARDS), threads)) / deals for response in (keeps, leaves))
    return Deviation(SEATS[seat], value, best)


# Checkpoints ----------------------------------------------------------------------------------------------


def _save(path: Path, game: CommerceGame, seed: int | str | bytes, learner: Learner) -> None:
    rounds, regret, total = learner.save()
    body = [FORMAT, game.ruleset_digest(), repr(seed), SHARDS, rounds, _little(regret), _little(total)]
    with whole_file(path) as file:
        file.write(msgpack.packb(body))


def _load(path: Path, game: CommerceGame, seed: int | str | bytes, learner: Learner) -> None:
    try:
        body = msgpack.unpackb(path.read_bytes())
        name, digest, key, shards, rounds, regret, total = body
        if name != FORMAT:
            raise ValueError
    except (ValueError, TypeError, msgpack.exceptions.UnpackException):
        raise SolveError(f"{path} is no checkpoint of small Commerce") from None
    if (digest, key, shards) != (game.ruleset_digest(), repr(seed), SHARDS):
        raise SolveError(f"{path} is the checkpoint of another variant or seed")
    try:
        learner.load(rounds, _little(regret), _little(total))
    except (ValueError, TypeError):
        raise SolveError(f"{path} is a damaged checkpoint") from None


def _little(data: bytes) -> bytes:
    """The numbers in the other byte order where this machine's is big-endian; files are little-endian."""
    if sys.byteorder == "little":
        return data
    numbers = array("d", data)
    numbers.byteswap()
    return numbers.tobytes()
