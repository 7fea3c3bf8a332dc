"""Open positions of Trois Trônes from texts and from recorded games."""

from collections.abc import Iterable, Iterator

from cardgods._core.state import State
from cardgods.cards import parse_cards
from cardgods.errors import CardTextError, SolveError
from cardgods.games.trones import TronesGame
from cardgods.log import ChanceOutcome, Log, Move, load_logged_game, standing
from cardgods.solve.trones import OpenPosition, at_state, start

MOVES = "moves"
"""The line of a deal's text after which moves follow."""


def read_deal(game: TronesGame, text: str, lang: str = "en") -> tuple[State, OpenPosition]:
    """A deal from a text.

    The cards of the deck come first, in the order in which they are dealt and drawn, separated by blanks,
    commas or line ends: the whole deck, or as much of it as can come to be laid. After a line ``moves`` a
    move may follow on each line; the position is then the one after them. ``#`` begins a comment.

    Args:
        game: the rules.
        text: what is read.
        lang: language of cards and fronts.

    Returns:
        The state of the game and the same with every card known.

    Raises:
        CardTextError: if a text is no card or a card comes twice.
        ActionTextError: if a move is not possible.
        SolveError: if the cards are not those of the game's deck, or too few.
    """
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    cut = next((i for i, line in enumerate(lines) if line.lower().rstrip(":") == MOVES), len(lines))
    try:
        deck = parse_cards(" ".join(lines[:cut]), lang)
    except CardTextError as error:
        raise CardTextError(f"the deal: {error}") from None
    start(game, deck)
    cards = iter(deck)
    state = _deal(game.new_initial_state(turn_based=True), cards)
    for line in lines[cut + 1 :]:
        if line:
            state.apply_action(state.string_to_action(line, lang))
            _deal(state, cards)
    return state, at_state(state, list(cards))


def _deal(state: State, cards: Iterator[int]) -> State:
    """Let chance act as long as it is its turn."""
    while state.is_chance_node():
        card = next(cards, None)
        # A card that is never laid may have been left out of the deal.
        state.apply_action(state.legal_actions()[0] if card is None else card)
    return state


def position_in_log(log: Log, event: int | None = None) -> tuple[State, OpenPosition]:
    """A position of a recorded game; the pile is what was drawn later on.

    Args:
        log: the record.
        event: how many events (cards dealt and drawn, moves) had happened, of those that were not taken back;
            without undos ``cardgods replay --json`` numbers them so. None for the end of the deal.

    Raises:
        SolveError: if the log is of another game, has no such event, or does not know all cards that can
            still come to be laid, because it ends before they were drawn.
    """
    game = load_logged_game(log)
    if not isinstance(game, TronesGame):
        raise SolveError(f"the log records {game}, not Trois Trônes")
    events = standing(log.records)
    first = 2 * game.options.hand
    at = first if event is None else event
    if not first <= at <= len(events):
        raise SolveError(f"the log has positions {first} to {len(events)} after the deal, not {at}")
    state = game.new_initial_state(turn_based=True)
    for record in events[:at]:
        state.apply_action(_action(record))
    return state, at_state(state, list(_drawn(events[at:])))


def _action(record: Move | ChanceOutcome) -> int:
    return record.action if isinstance(record, Move) else record.outcome


def _drawn(events: Iterable[Move | ChanceOutcome]) -> Iterator[int]:
    return (record.outcome for record in events if isinstance(record, ChanceOutcome))
