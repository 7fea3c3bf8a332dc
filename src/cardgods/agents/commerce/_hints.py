"""Hints for Commerce: what each move brings over sampled worlds, and odds of a showdown.

Both are points of the deal from here on, the ante counted and what has been paid for buys left out.
"""

from cardgods._core.state import State
from cardgods.agents._hints import Hint, knowledge_rng
from cardgods.agents.commerce.search import make
from cardgods.games.commerce import BUY, KNOCK, CommerceGame
from cardgods.solve.commerce import Odds, buy_odds, knock_odds
from cardgods.solve.commerce_story import Story, odds_arguments, read_story

WORLDS = 2000
ANTE = 1
"""Paid when the hands are dealt, so no longer part of what the search counts."""
COUNTED = 4
"""Up to so many players a showdown now is counted; one after a draw for one player less."""
SAMPLES = 50_000
"""Deals drawn for odds that are not counted."""


def hints(state: State, player: int) -> list[Hint]:
    """All moves, by what they bring; see :func:`cardgods.agents._hints.hints`."""
    search = make(state.game, worlds=WORLDS)
    found = sorted(search.evaluate(state, knowledge_rng(state, player)), key=lambda move: -move[1])
    odds = showdowns(state, player)
    return [
        Hint(
            action,
            mean - ANTE,
            "; ".join([f"standard error {error:.2f}", *odds.get(action, [])]),
            False,
            error,
        )
        for action, mean, error in found
    ]


def showdowns(state: State, player: int) -> dict[int, list[str]]:
    """For each action after which the hands are, or may be, settled: its odds in words.

    They are those of a player who holds what he holds and knows what he knows; that others have not knocked
    says nothing about their hands here, unlike in the search.
    """
    game = state.game
    assert isinstance(game, CommerceGame)
    story = read_story(state.information_state(player), player, game.num_players())
    found: dict[int, list[str]] = {}
    if story.phase in ("turn", "reply"):
        known = odds_arguments(story, player)
        exact = story.players <= COUNTED
        now = knock_odds(**known, pack=game.pack, exact=exact, samples=SAMPLES, seed=0)
        found[KNOCK] = [_words("settled now", now, 0)]
    if story.phase in ("turn", "discard"):
        after = _after_a_buy(story, player, game)
        best = max(after.values(), key=lambda odds: odds.points)
        if story.phase == "turn":
            found[BUY] = [_words("settled after it", best, 0)]
        else:
            paid = 0 if player == story.dealer else 1
            found |= {card: [_words("settled after the draw", odds, paid)] for card, odds in after.items()}
    return found


def _after_a_buy(story: Story, player: int, game: CommerceGame) -> dict[int, Odds]:
    known, exact = odds_arguments(story, player), story.players < COUNTED
    buys = buy_odds(**known, pack=game.pack, exact=exact, samples=SAMPLES, seed=0)
    return {buy.discard: buy.odds for buy in buys}


def _words(when: str, odds: Odds, paid: int) -> str:
    worth = f"{odds.points + paid:+.2f}"
    if odds.samples is None:
        return f"{when}, {odds.win:.1%} for the pot and {worth} points"
    low, high = odds.win_interval
    error = (odds.points_interval[1] - odds.points_interval[0]) / 2
    return f"{when}, {low:.1%} to {high:.1%} for the pot and {worth} points (+- {error:.2f}, sampled)"
