"""A first auction: seven treasures, a target of 20, the Obole, against somebody who bids at random."""

from __future__ import annotations

from cardgods_cli.lessons import Lesson, Point, Scene
from cardgods_cli.words import N_, _


def _bids(scene: Scene) -> bool:
    return scene.phase == "bid"


def _card(scene: Scene, value: int) -> str:
    name: str = scene.view.game.card_name(value, scene.view.look.lang)  # type: ignore[attr-defined]
    return name


def _situation(scene: Scene) -> list[str]:
    now, me = scene.now, scene.player
    if scene.phase == "window":
        text = _(
            "obole brings your {card} back; pass keeps the token for a better card, if one burns in time."
        )
        return [text.format(card=_card(scene, min(now["burnt"][me])))]
    lot = now["treasure"] + now["carry"]
    mine, his = now["hands"][me], now["hands"][1 - me]
    text = _("The lot is worth {lot:g}. You have {mine:g} of {target} points, the other has {his:g}.")
    goal = text.format(lot=lot, target=now["target"], mine=now["scores"][me], his=now["scores"][1 - me])
    return [goal, _advice(scene, lot, mine, his)]


def _advice(scene: Scene, lot: float, mine: list[int], his: list[int]) -> str:
    now, me = scene.now, scene.player
    high, low = _card(scene, max(mine)), _card(scene, min(mine))
    if len(mine) == 1:
        return _("You have one card left, so that is your bid.")
    if now["scores"][me] + lot >= now["target"]:
        text = _("This lot would win you the game: bid as high as it takes. Your best is {high}.")
    elif now["scores"][1 - me] + lot >= now["target"]:
        text = _("This lot would win the game for the other: your {high} is what can stop that.")
    elif max(mine) > max(his):
        text = _("Nothing of the other's beats your {high}; but is this the lot to spend it on?")
    elif lot <= sum(mine) / len(mine):
        text = _(
            "That is not much: your {low}, the lowest, costs you least, and a high card is saved for more."
        )
    else:
        text = _("That is worth fighting for: bid high, or a little above what you think the other will bid.")
    return text.format(high=high, low=low)


LESSON = Lesson(
    seats=("human", "random"),
    seed=11,
    options={"cards": (2, 3, 4, 5, 6, 7, 8)},
    welcome=[
        N_(
            "L'Encan d'Hermès is an auction for two. A treasure comes up, both bid a card of gold in "
            "secret, the higher bid takes it. Here is a short one, with seven treasures, against somebody "
            "who bids at random."
        ),
    ],
    points=[
        Point(
            N_(
                "You both hold the same gold, 2 to 8, and everybody sees what is left of it. Each turn "
                "costs you one card, whether you win the treasure or not."
            ),
            _bids,
        ),
        Point(
            N_(
                "A treasure is worth its number in points. 20 points win at once; else the higher score "
                "wins when the last treasure is gone."
            ),
            _bids,
        ),
        Point(
            N_(
                "Now you may call your Obole: once in the game you take back the smallest card that you "
                "have burnt. The other may do the same; this is asked before each treasure is bid for."
            ),
            lambda scene: scene.phase == "window",
        ),
        Point(
            N_(
                "The bids were equal, so nobody got the treasure: it is carried over, and the next higher "
                "bid takes both."
            ),
            lambda scene: scene.now["carry"] > 0,
        ),
        Point(
            N_(
                "Look at the other's purse: if your highest card is higher than his, you can have any one "
                "lot you like. Who has spent his high cards early has to watch."
            ),
            lambda scene: _bids(scene) and scene.now["turn"] >= 2,
        ),
        Point(
            N_(
                "Should both bid the same, the treasure is carried over to the next lot. A tie for a small "
                "treasure can make the next one large."
            ),
            lambda scene: _bids(scene) and scene.now["turn"] >= 3 and scene.now["carry"] == 0,
        ),
        Point(
            N_(
                "At equal scores in the end the winner of the last treasure wins, then who has more gold "
                "left, then the second player, who is not you."
            ),
            lambda scene: len(scene.now["treasures_left"]) <= 2,
        ),
    ],
    situation=_situation,
    further=[
        N_("cardgods play encan: the whole auction, thirteen treasures, against somebody who thinks."),
        N_("cardgods play encan --variant express --seat human --seat exact: against perfect play."),
        N_("cardgods play encan --seat human:Ana --seat human:Bea: two people at one keyboard."),
        N_("cardgods rules encan: all the rules."),
    ],
)
