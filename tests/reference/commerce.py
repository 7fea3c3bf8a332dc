"""Commerce in plain Python, written from the rules page and played in lock-step with the core."""

from itertools import combinations

NOTHING, POINT, SEQUENCE, TRICON = range(4)


def points(card):
    rank = card % 13
    return 11 if rank == 12 else min(rank + 2, 10)


def strength(hand):
    """A tuple that compares as the hands do: category, then total or rank, then number of cards."""
    ranks = sorted(card % 13 for card in hand)
    if len(set(ranks)) == 1:
        return (TRICON, ranks[0], 3)
    by_suit = {}
    for card in hand:
        by_suit.setdefault(card // 13, []).append(card)
    if len(by_suit) == 1:
        if ranks in ([r, r + 1, r + 2] for r in range(11)):
            return (SEQUENCE, ranks[2], 3)
        if ranks == [0, 1, 12]:
            return (SEQUENCE, 1, 3)
    totals = [(POINT, sum(map(points, cards)), len(cards)) for cards in by_suit.values() if len(cards) > 1]
    return max(totals, default=(NOTHING, 0, 0))


def settle(hands):
    """Points that each wins or loses at a showdown, antes left out; hands in order from the dealer on."""
    n = len(hands)
    strengths = [strength(hand) for hand in hands]
    winner = strengths.index(max(strengths))
    gains = [0] * n
    gains[winner] += n
    if winner != 0:
        if strengths[0][0] == strengths[winner][0]:
            gains = [gain + 1 for gain in gains]
            gains[0] -= n
        else:
            gains[winner] += 1
            gains[0] -= 1
    return winner, gains


def all_deals(cards, sizes):
    """Every way to deal hands of these sizes from the cards."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in all_deals(rest, sizes[1:]):
            yield (hand, *others)
