"""A public benchmark of rule discovery, played by the exhaustive seeker.

The protocol is that of "Can LLMs play the game of science?" (D. Louapre, Hugging Face, February 2026): one
player, 26 rules with 3 shuffles each, two packs, twelve cards in hand. A turn is a card and, if he
likes, a guess; a right guess ends the round with 30 less the turns taken, a wrong one costs 2 points; after
30 turns the round is over. A guess is right if the guessed rule and the hidden one never
differ again from the present board, which is decided exactly here, by a walk over both machines. The rules
are written in our language from their descriptions; the deals are our own, for the published ones cannot be
had without that program.

    python bench/eleusis_protocol.py [--seeds 3] [--verbose]
"""

import argparse
import os
import statistics

from cardgods import Random
from cardgods.rule import compare, parse_rule
from cardgods.rule.belief import Belief

TURNS, HAND, PENALTY = 30, 12, 2
RULES = {
    "even ranks": "even",
    "court cards": "face",
    "ranks 1 to 7": "rank <= 7",
    "ranks 5 to 9": "rank in 5..9",
    "prime ranks": "prime",
    "aces": "ace",
    "spades": "spades",
    "red": "red",
    "spades and diamonds": "suit in {spades, diamonds}",
    "no spades": "not spades",
    "black court cards": "black and face",
    "red to 7": "red and rank <= 7",
    "red courts, black numbers": "face iff red",
    "courts and numbers alternate": "face xor last.face",
    "parities alternate": "not same(parity)",
    "never lower, from an ace": "start: ace; rank >= last.rank",
    "colours alternate": "not same(colour)",
    "another suit": "not same(suit)",
    "other suit of the colour": "same(colour) and not same(suit)",
    "circle of suits": "cycle(hearts, spades, clubs, diamonds)",
    "groups of suits alternate": "suit in {hearts, spades} xor last.suit in {hearts, spades}",
    "colour or parity": "same(colour) or same(parity)",
    "red rises, black falls": "start: rank in 5..9; if last.red then not down else not up",
    "court keeps suit": "same(suit) iff last.face",
    "suits in pairs": "pattern(not same(suit), same(suit))",
    "ranks in pairs": "pattern(not same(rank), same(rank))",
}
# Mean score over the 78 rounds of each model, as published.
PUBLISHED = {
    "Gemini 3 Pro (high)": 17.3,
    "Claude Opus 4.5": 16.97,
    "Kimi K2": 16.18,
    "GLM 4.7": 15.64,
    "Grok 4.1 fast": 15.15,
    "GPT 5.2 (high)": 15.05,
    "Gemini 3 Flash (high)": 14.05,
    "GPT 5 mini": 13.49,
    "DeepSeek R1": 13.28,
    "GPT-OSS 120B": 12.87,
    "GPT-OSS 20B": 11.88,
    "Claude Haiku 4.5": 11.46,
}


class Round:
    """One round: what lies on the table, the hand and the pack."""

    def __init__(self, rule, rng):
        self.rule = rule
        self.pack = list(range(52)) * 2
        rng.shuffle(self.pack)
        self.hand = [self.pack.pop() for _ in range(HAND)]
        starter = self.pack.pop()
        while not rule.right(()) >> starter & 1:
            starter = self.pack.pop()
        self.line = [starter]
        self.table = [{"kind": "starter", "cards": [starter]}]

    def play(self, card):
        right = bool(self.rule.right(self.line) >> card & 1)
        self.hand.remove(card)
        self.hand += [self.pack.pop()] if self.pack else []
        self.line += [card] if right else []
        self.table.append({"kind": "right" if right else "wrong", "cards": [card]})

    def is_the_rule(self, guess):
        return compare(guess, self.rule, self.line).verdict == "equal"


def play(rule, rng, guesses):
    """Score, turn of the right guess (0 = none) and wrong guesses of a round; notes beliefs and outcomes."""
    table, belief, wrong = Round(rule, rng), Belief(), 0
    belief.tell(table.table)
    for turn in range(1, TURNS + 1):
        table.play(belief.experiment(table.hand) if belief.behaviours else table.hand[0])
        belief.tell(table.table)
        if belief.ripe(table.hand, TURNS - turn, PENALTY):
            right = table.is_the_rule(belief.best)
            guesses.append((belief.certainty, right))
            if right:
                return TURNS - turn - PENALTY * wrong, turn, wrong
            wrong += 1
            belief.refuse(belief.behaviours[0])
    return -PENALTY * wrong, 0, wrong


def calibration(guesses):
    """How often guesses of about each belief were right."""
    for low in range(0, 10, 2):
        rows = [right for belief, right in guesses if low <= 10 * min(belief, 0.999) < low + 2]
        if rows:
            share = 100 * sum(rows) / len(rows)
            print(f"  believed {10 * low}-{10 * low + 20} %: {len(rows)} guesses, {share:.0f} % right")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seeds", type=int, default=3, help="shuffles of each rule (the protocol has 3)")
    options.add_argument("--verbose", action="store_true", help="a line for each rule")
    given = options.parse_args()
    results, guesses = {}, []
    for name, text in RULES.items():
        rule = parse_rule(text)
        results[name] = [play(rule, Random(f"protocol {name} {k}"), guesses) for k in range(given.seeds)]
        if given.verbose:
            print(
                f"{name:30}", *(f"{score:4} (turn {turn}, wrong {bad})" for score, turn, bad in results[name])
            )
    rounds = [each for rows in results.values() for each in rows]
    mean = statistics.mean(score for score, _, _ in rounds)
    rows = [(mean, "cardgods, exhaustive search"), *((score, name) for name, score in PUBLISHED.items())]
    print(
        f"{len(rounds)} rounds: {sum(turn > 0 for _, turn, _ in rounds)} rules found, "
        f"{sum(bad for *_, bad in rounds) / len(rounds):.2f} wrong guesses a round, {os.times().user:.0f} s"
    )
    calibration(guesses)
    for score, name in sorted(rows, reverse=True):
        print(f"{score:7.2f}  {name}")


if __name__ == "__main__":
    main()
