"""Commerce behind the contract: table of functions, compiled rules and the State's accessors."""

from libc.stdint cimport uint64_t

from cardgods._core.commerce_hands cimport hand_table
from cardgods._core.games.commerce_rules cimport (
    DEAL, DISCARD, DRAW, LOT, OFFER, OVER, REPLY, TURN, CommercePos, CommerceRules, commerce_actor,
    commerce_apply, commerce_chance, commerce_events, commerce_init, commerce_legal, commerce_observe,
    commerce_playout, commerce_returns, commerce_sealed, hands_open, seat_after,
)
from cardgods._core.games.commerce_worlds cimport commerce_resample
from cardgods._core.ops cimport GameOps
from cardgods._core.state cimport Rules, State

PHASES = {
    LOT: "lot", DEAL: "deal", TURN: "turn", DISCARD: "discard", DRAW: "draw", OFFER: "offer", REPLY: "reply",
    OVER: "over",
}
REASONS = (None, "knock", "refusal", "stock", "cap")
UNBOUNDED = 2147483647


cdef GameOps OPS
OPS.name = b"commerce"
OPS.state_bytes = sizeof(CommercePos)
OPS.init = commerce_init
OPS.actor = commerce_actor
OPS.sealed = commerce_sealed
OPS.legal = commerce_legal
OPS.chance = commerce_chance
OPS.apply = commerce_apply
OPS.returns = commerce_returns
OPS.events = commerce_events
OPS.observe = commerce_observe
OPS.resample = commerce_resample
OPS.playout = commerce_playout


cdef class CommerceRulesObject(Rules):
    """The compiled options of one member of the family; see ``cardgods.games.commerce.CommerceOptions``.

    Args:
        pack: the cards in use, 0..51.
        players: 3..12.
        deals: how many deals make a game.
        trade_cap: trades in a row that end a deal; 0 = no such end, and games without a bound.
    """

    def __cinit__(self, pack, players, deals, trade_cap):
        self.r.table = hand_table()
        self.r.pack = 0
        for card in pack:
            self.r.pack |= <uint64_t>1 << <int>card
        self.r.players = players
        self.r.deals = deals
        self.r.cap = trade_cap
        self.ops = &OPS
        self.data = &self.r
        self.num_players = players
        self.num_distinct_actions = 55
        stock = len(pack) - 3 * players
        # at most cap trades, or one fewer and a buy, for each card of the stock; three actions each
        deal = 3 * players + 3 * stock * trade_cap
        self.max_game_length = 1 + deals * deal if trade_cap else UNBOUNDED


def cards_of(mask):
    """The cards of a mask, ascending."""
    return [card for card in range(52) if (mask >> card) & 1]


cdef class CommerceState(State):
    """A position of Commerce.

    Actions: 0..51 name a card to discard, offer or return (for chance, to deal or draw); 52 buys, 53 trades,
    54 knocks or refuses an offer by knocking. At the lot, chance outcome p makes player p the first dealer.
    """

    cdef object describe(self, const void* pos):
        cdef const CommercePos* s = <const CommercePos*>pos
        cdef const CommerceRules* r = <const CommerceRules*>self.data
        players = range(r.players)
        balances = [s.balance[p] for p in players]
        best = max(balances)
        return {
            "phase": PHASES[s.phase],
            "deal": min(s.settled + 1, r.deals),
            "deals": r.deals,
            "dealer": s.dealer if s.dealer >= 0 else None,
            "turn": s.turn if s.turn >= 0 else None,
            "pot": s.pot,
            "balances": balances,
            "stock": s.left,
            "hands": [cards_of(s.hand[p]) for p in players],
            "rejected": [cards_of(s.rejected[p]) for p in players],
            "bought": [s.bought[p] for p in players],
            "trades": s.trades,
            "trade_cap": r.cap or None,
            "offered_to": seat_after(r, s.turn, 1) if s.phase == REPLY else None,
            "offer": s.offer if s.offer >= 0 else None,
            "open": bool(hands_open(s)) and s.settled > 0,
            "last_reason": REASONS[s.reason],
            "last_knocker": s.knocker if s.knocker >= 0 else None,
            "last_winner": s.winner if s.winner >= 0 else None,
            "end_reason": REASONS[s.reason] if s.phase == OVER else None,
            "winners": [p for p in players if balances[p] == best] if s.phase == OVER else None,
        }
