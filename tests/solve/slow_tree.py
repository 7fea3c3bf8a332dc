"""Game trees in plain Python dictionaries: the slow model that the tree algorithms are held against.

Also some known games, and random ones, as explicit trees.
"""

import itertools
from dataclasses import dataclass, field

import cardgods
from cardgods.solve.explicit import Chance, Decision, End, ExplicitGame


@dataclass
class Node:
    actor: int
    key: tuple | None = None
    actions: list = field(default_factory=list)
    chances: list = field(default_factory=list)
    children: list = field(default_factory=list)
    returns: list | None = None


def grown(state):
    """The tree below a turn-based state, one Python object a history."""
    node = Node(state.current_player())
    if node.actor == -4:
        node.returns = state.returns()
        return node
    if node.actor == -1:
        node.actions, node.chances = (list(part) for part in zip(*state.chance_outcomes(), strict=True))
    else:
        node.actions = state.legal_actions()
        node.key = (node.actor, state.information_state(node.actor))
    node.children = [grown(state.child(action)) for action in node.actions]
    return node


def every(node):
    yield node
    for child in node.children:
        yield from every(child)


def expected(node, policy):
    """Expected returns; policy: key -> list of probabilities, uniform where it is silent."""
    if node.returns is not None:
        return node.returns
    parts = [expected(child, policy) for child in node.children]
    weights = node.chances if node.actor == -1 else probabilities(node, policy)
    return [sum(w * part[p] for w, part in zip(weights, parts, strict=True)) for p in range(len(parts[0]))]


def probabilities(node, policy):
    return policy.get(node.key, [1 / len(node.actions)] * len(node.actions))


def choices(node, player):
    """Information sets of a player that leave a choice: key -> number of actions."""
    return {n.key: len(n.actions) for n in every(node) if n.actor == player and len(n.actions) > 1}


def best_by_enumeration(node, policy, player):
    """The best return over all pure strategies of a player."""
    sets = choices(node, player)
    best = None
    for picks in itertools.product(*(range(n) for n in sets.values())):
        pure = {
            key: [float(i == pick) for i in range(sets[key])] for key, pick in zip(sets, picks, strict=True)
        }
        value = expected(node, {**policy, **pure})[player]
        best = value if best is None else max(best, value)
    return best


def best_by_groups(root, policy, player):
    """The best return by grouping histories into information sets, from the leaves up."""
    groups = {}

    def gather(node, reach):
        if node.actor == player and len(node.actions) > 1:
            groups.setdefault(node.key, []).append((node, reach))
        weights = [1.0] * len(node.children)
        if node.actor == -1:
            weights = node.chances
        elif node.actor >= 0 and node.actor != player:
            weights = probabilities(node, policy)
        for child, weight in zip(node.children, weights, strict=True):
            gather(child, reach * weight)

    picked = {}

    def value(node):
        if node.returns is not None:
            return node.returns[player]
        if node.actor == player and len(node.actions) > 1:
            return value(node.children[pick(node.key)])
        weights = node.chances if node.actor == -1 else probabilities(node, policy)
        return sum(w * value(child) for w, child in zip(weights, node.children, strict=True))

    def pick(key):
        if key not in picked:
            count = len(groups[key][0][0].actions)
            sums = [sum(r * value(n.children[a]) for n, r in groups[key]) for a in range(count)]
            picked[key] = sums.index(max(sums))
        return picked[key]

    gather(root, 1.0)
    return value(root)


def random_policy(node, rng):
    """Random probabilities at every information set, some of them 0."""
    policy = {}
    for n in every(node):
        if n.key is not None and n.key not in policy:
            weights = [rng.below(4) for _ in n.actions]
            weights[rng.below(len(weights))] += 1
            policy[n.key] = [w / sum(weights) for w in weights]
    return policy


def set_policy(profile, policy):
    """Copy a policy into a profile."""
    tree = profile.tree
    for (player, seen), values in policy.items():
        number = tree.find(player, seen)
        if len(values) > 1:
            profile.set(number, values)
    return profile


# Games ----------------------------------------------------------------------------------------------------


def kuhn(players=2):
    """Kuhn poker with n + 1 cards, ante 1, one bet of 1 (Kuhn 1950; for three Szafron et al. 2013)."""

    def showdown(cards, bettors, pot, paid):
        winner = max(bettors, key=lambda p: cards[p])
        return End([pot - paid[p] if p == winner else -paid[p] for p in range(players)])

    def after(cards, told, first_bettor):
        turn = len(told)
        paid = [1] * players
        if first_bettor is None:
            if turn == players:
                return showdown(cards, range(players), players, paid)
            player = turn
            options = [after(cards, told + "p", None), after(cards, told + "b", turn)]
        else:
            callers = [first_bettor] + [i % players for i in range(first_bettor + 1, turn) if told[i] == "b"]
            if turn == first_bettor + players:
                for p in callers:
                    paid[p] += 1
                return showdown(cards, callers, players + len(callers), paid)
            player = turn % players
            options = [after(cards, told + move, first_bettor) for move in "pb"]
        return Decision(player, (cards[player], told), options)

    deals = list(itertools.permutations(range(players + 1), players))
    return ExplicitGame(players, Chance([(1, after(deal, "", None)) for deal in deals]))


def random_game(players, rng, depth=5, spread=9):
    """A random tree: odd information sets and chances, forced moves, `spread` different returns."""

    def node(left):
        kind = rng.below(8)
        if left == 0 or kind == 0:
            return End([(rng.below(spread) - spread // 2) * 9 / spread for _ in range(players)])
        if kind <= 2:
            return Chance([(1 + rng.below(3), node(left - 1)) for _ in range(1 + rng.below(3))])
        count = 1 + rng.below(3)
        return Decision(rng.below(players), (count, rng.below(2)), [node(left - 1) for _ in range(count)])

    return ExplicitGame(players, Chance([(1, node(depth)), (2, node(depth))]))


def goofspiel(cards, **options):
    """Goofspiel with win, loss or draw, random order, ties discarded."""
    return cardgods.load_game("encan", "goofspiel", cards=tuple(range(1, cards + 1)), **options)
