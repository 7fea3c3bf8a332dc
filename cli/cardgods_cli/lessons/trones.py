"""A first war on three fronts: the express game against somebody who lays at random."""

from __future__ import annotations

from cardgods.cards import card_name
from cardgods.games.trones import force
from cardgods_cli.lessons import Lesson, Point, Scene
from cardgods_cli.views.trones import THE_FRONTS
from cardgods_cli.words import N_, _


def _situation(scene: Scene) -> list[str]:
    return [_fronts(scene), _card(scene)]


def _fronts(scene: Scene) -> str:
    """Where the player leads and where he does not."""
    me, names = scene.player, [_(front) for front in THE_FRONTS]
    ahead: list[str] = []
    behind: list[str] = []
    open_: list[str] = []
    for name, front in zip(names, scene.now["fronts"], strict=True):
        leader = front["settled"] if front["settled"] is not None else front["leader"]
        (open_ if leader is None else ahead if leader == me else behind).append(name)
    if len(open_) == len(names):
        return _("Nobody leads on any front yet: they are all open.")
    parts = []
    for text, found in (
        (_("you lead on {fronts}"), ahead),
        (_("you are behind on {fronts}"), behind),
        (_("nobody leads on {fronts}"), open_),
    ):
        if found:
            parts.append(text.format(fronts=", ".join(found)))
    told = _("; ").join(parts)
    return f"{told[0].upper()}{told[1:]}."


def _card(scene: Scene) -> str:
    """A thought about one of the cards in hand."""
    now, me, lang = scene.now, scene.player, scene.view.look.lang
    free = [f for f in range(3) if now["fronts"][f]["room"][me] and now["fronts"][f]["settled"] is None]
    hand = now["hands"][me]
    if not free:
        return _("All fronts with a free place are settled: it does not matter any more what you lay.")
    trumps = [
        (force(card, f), card, f) for card in hand for f in free if card // 13 == now["fronts"][f]["trump"]
    ]
    if trumps:
        strength, card, f = max(trumps)
        text = _("Your {card} is a trump on {front}: it counts {force} there, and 10 less anywhere else.")
        name, front = card_name(card, lang), _(THE_FRONTS[f])
        return text.format(card=name, front=front, force=strength)
    weakest = min(hand, key=lambda card: card % 13)
    text = _(
        "None of your cards is a trump where it could still help. {card} is the weakest: where does it hurt "
        "least?"
    )
    return text.format(card=card_name(weakest, lang))


LESSON = Lesson(
    seats=("human", "random"),
    seed=22,
    variant="express",
    welcome=[
        N_(
            "La Guerre des Trois Trônes is a war on three fronts: the sky, the sea and the underworld. Who "
            "holds two of them in the end wins. Here is the short game, two cards a side on each front, "
            "against somebody who lays at random."
        ),
    ],
    points=[
        Point(
            N_(
                "In your turn you lay one card on your side of a front, and then draw one. Write the card "
                "and the front; its first letters or its number, 1 to 3, will do."
            )
        ),
        Point(
            N_(
                "A card counts 7 to 14, the ace, and 10 more on the front whose trump it is: diamonds in "
                "the sky, spades in the sea, clubs in the underworld. Hearts are trump nowhere."
            )
        ),
        Point(
            N_(
                "What is laid lies open, hands do not. Each side has two places on each front: in the end "
                "every place is filled, so a weak card has to go somewhere too."
            ),
            lambda scene: scene.now["turns_left"][scene.player] <= 5,
        ),
        Point(
            N_("Two fronts are enough. You may let the third one go and send your weak cards there."),
            lambda scene: scene.now["turns_left"][scene.player] <= 4,
        ),
        Point(
            N_(
                "A front is settled once no card that may still come can turn it round; the board then says "
                "who holds it."
            ),
            lambda scene: any(front["settled"] is not None for front in scene.now["fronts"]),
        ),
        Point(
            N_(
                "At equal sums the higher trump takes the front, then the highest card, then the player who "
                "began, who is you."
            ),
            lambda scene: scene.now["turns_left"][scene.player] <= 3,
        ),
        Point(
            N_("The pile is empty: nobody draws any more, and what is left in hand is all there is."),
            lambda scene: scene.now["pile"] == 0,
        ),
    ],
    situation=_situation,
    further=[
        N_("cardgods play trones: the whole game, three cards a side, against somebody who looks ahead."),
        N_(
            "cardgods play trones --seat human --seat pimc: against somebody who tries many deals in his "
            "head."
        ),
        N_(
            "cardgods play trones --log game.cglog, then cardgods analyze game.cglog: what each of your "
            "moves cost."
        ),
        N_("cardgods rules trones: all the rules."),
    ],
)
