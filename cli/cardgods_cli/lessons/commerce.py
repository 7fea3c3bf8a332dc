"""A first evening of Commerce: three deals with two neighbours who play simply."""

from __future__ import annotations

from cardgods.cards import card_name
from cardgods.games.commerce import hand_words
from cardgods_cli.lessons import Lesson, Point, Scene
from cardgods_cli.words import N_, _

GOOD_POINT = 16
"""A point that wins more often than not among three (cardgods odds commerce)."""


def _on_turn(scene: Scene) -> bool:
    return scene.phase == "turn"


def _situation(scene: Scene) -> list[str]:
    hand, lang = scene.now["hands"][scene.player], scene.view.look.lang
    cards = " ".join(card_name(card, lang) for card in sorted(hand))
    if scene.phase in ("discard", "offer"):
        text = _("Which of {cards} does least for you? {card} looks loose.")
        return [text.format(cards=cards, card=card_name(_loose(hand), lang))]
    text = _("You hold {cards}, {worth}; {pot} in the pot.")
    told = text.format(cards=cards, worth=hand_words(hand, lang), pot=scene.now["pot"])
    return [told, _advice(scene, hand)]


def _advice(scene: Scene, hand: list[int]) -> str:
    kind, points = _worth(hand)
    if scene.phase == "reply":
        if kind == "point" and points < GOOD_POINT:
            return _("Your hand is weak: a strange card may help, so give your loosest one.")
        return _("Your hand is good as it is: knock refuses, and the hands are settled now.")
    if kind != "point":
        return _("That is very strong: knock before anybody finds better.")
    if points >= GOOD_POINT:
        return _(
            "That wins more often than not: knocking now is sound, and each round gives the others a chance."
        )
    return _("That is weak: buy a card, or trade if your neighbour seems to throw away what you need.")


def _worth(hand: list[int]) -> tuple[str, int]:
    """The kind of a hand, as far as the lesson speaks of it, and the best total of a suit."""
    ranks, suits = sorted(card % 13 for card in hand), {card // 13 for card in hand}
    if len(set(ranks)) == 1:
        return "tricon", 0
    row = ranks[2] - ranks[1] == ranks[1] - ranks[0] == 1 or ranks == [0, 1, 12]
    if len(suits) == 1 and row:
        return "sequence", 0
    totals = [sum(_points(card) for card in hand if card // 13 == suit) for suit in suits]
    return "point", max(totals) if len(suits) < 3 else 0


def _points(card: int) -> int:
    rank = card % 13
    return 11 if rank == 12 else min(rank + 2, 10)


def _loose(hand: list[int]) -> int:
    """The card without which the other two are worth most."""

    def rest(card: int) -> tuple[bool, int]:
        one, other = (kept for kept in hand if kept != card)
        pair = one % 13 == other % 13
        return pair, _points(one) + _points(other) if one // 13 == other // 13 else 0

    return max(sorted(hand, key=_points), key=rest)


LESSON = Lesson(
    seats=("human", "greedy", "greedy"),
    seed=3,
    options={"deals": 3},
    welcome=[
        N_(
            "Commerce: three cards each, and the best hand takes the pot. You improve yours by buying and "
            "by blind trades until somebody knocks. Here are three deals with two neighbours, so that each "
            "of you deals once; whoever has most points then wins."
        ),
    ],
    points=[
        Point(
            N_(
                "The best hands are three of a rank (tricon), then three in a row of a suit (sequence), "
                "then the best total of two or three cards of one suit (point): ace 11, courts 10."
            )
        ),
        Point(
            N_(
                "buy: you give up a card, pay 1 to the dealer and take the top of the stock. trade: you "
                "offer a card to the neighbour on your left. knock: the hands are shown at once. There is "
                "no passing."
            ),
            _on_turn,
        ),
        Point(
            N_(
                "You choose the card to give up before you see the new one; it is gone for good, and nobody "
                "else sees it."
            ),
            lambda scene: scene.phase == "discard",
        ),
        Point(
            N_(
                "Your neighbour does not see the card before he answers. He gives one of his three for it, "
                "or refuses, and a refusal is a knock: so a trade may end the deal."
            ),
            lambda scene: scene.phase == "offer",
        ),
        Point(
            N_(
                "A neighbour offers you a card that you do not see. Return one of yours and the two change "
                "hands; or knock, and the hands are settled as they were before."
            ),
            lambda scene: scene.phase == "reply",
        ),
        Point(
            N_(
                "You are the dealer: your own buys are free, and the others pay you for theirs. But if you "
                "lose you pay the winner 1, or everybody 1 if your hand was of the winner's kind."
            ),
            lambda scene: scene.now["dealer"] == scene.player,
        ),
        Point(
            N_(
                "A new deal: everybody has paid 1 into the pot again. What you won or lost stays in your "
                "balance."
            ),
            lambda scene: scene.now["deal"] >= 2,
        ),
        Point(
            N_(
                "Waiting has a price: every turn lets the others improve, and each of them may knock. Of "
                "three players, a point of 16 or more wins more often than not."
            ),
            lambda scene: _on_turn(scene) and scene.now["bought"][scene.player] > 0,
        ),
    ],
    situation=_situation,
    further=[
        N_("cardgods play commerce --players 5: a larger table; each player deals once."),
        N_("cardgods odds commerce A♥ K♥ 4♠: what knocking with a hand is worth, and each discard."),
        N_("cardgods play commerce --seat human --seat search --seat search: against better players."),
        N_("cardgods rules commerce: all the rules."),
    ],
)
