"""A first search for a rule: one round as a seeker, one as God."""

from __future__ import annotations

from cardgods.cards import card_name
from cardgods_cli.lessons import Lesson, Point, Scene
from cardgods_cli.words import N_, _, n_

JUDGING = ("god_starter", "god_judge", "god_claim", "god_pick_judge", "god_pick")
OF_THE_PROPHET = ("judge", "judge_claim", "pick")


def _seeks(scene: Scene) -> bool:
    return scene.phase == "turn"


def _judges(scene: Scene) -> bool:
    return scene.phase in JUDGING


def _situation(scene: Scene) -> list[str]:
    now = scene.now
    if scene.phase == "sequence":
        return [
            _(
                "done has what you laid judged; a further card makes it a sequence, right only if all of it "
                "is."
            )
        ]
    if scene.phase == "prophecy":
        return [_("Say prophet only if you could name the rule; no prophet goes on as before.")]
    if scene.phase in OF_THE_PROPHET:
        return [_("Say what you think God would say: right or wrong.")]
    if _judges(scene):
        return [_("Say right or wrong by the rule that you have in mind; be true to it to the end.")]
    last = card_name(now["line"][-1], scene.view.look.lang)
    wrong = sum(len(entry["cards"]) for entry in now["table"] if entry["kind"] == "wrong")
    text = n_(
        "The line ends with {card}; {cards} card has been refused so far.",
        "The line ends with {card}; {cards} cards have been refused so far.",
        wrong,
    )
    return [text.format(card=last, cards=wrong), _advice(scene, wrong)]


def _advice(scene: Scene, wrong: int) -> str:
    size = scene.now["hand_sizes"][scene.player]
    if len(scene.now["line"]) < 3:
        return _("Too early for a theory: lay a card and see. A wrong one costs 2 cards and tells as much.")
    if wrong:
        return _(
            "Compare what followed a card with what was refused after one like it: colour, suit, odd or "
            "even, higher or lower? Lay a card that tells two theories apart."
        )
    if size <= 3:
        return _("Few cards left: lay what has been right, and you may be the first without any.")
    return _("Nothing was refused yet: a card unlike the others so far tells more than one like them.")


LESSON = Lesson(
    seats=("human", "greedy", "greedy", "greedy", "greedy"),
    seed=1,
    options={
        "rounds": 2,
        "rules": ("not same(colour)", "human"),
        "hand": 6,
        "sudden_death": 16,
        "prophet_sudden_death": 10,
        "compensation": 0,
    },
    welcome=[
        N_(
            "Eleusis turns science into a game: one player is God and has a secret rule, by which each card "
            "may follow the line or not. The others are seekers. Here are two short rounds: in the first "
            "you seek, in the second you are God."
        ),
    ],
    points=[
        Point(
            N_(
                "In your turn you lay a card that you hope is right, or up to four in a row, and end with "
                "done. If it is right it joins the line; if not it lies below, and you draw 2 cards for "
                "each."
            ),
            _seeks,
        ),
        Point(
            N_(
                "You want to get rid of your cards: a round pays the size of the largest hand less your "
                "own. But a card that is wrong is worth something too: it tells what the rule is not."
            ),
            _seeks,
        ),
        Point(
            N_(
                "Nobody tells you the rule; only the table does. Watch the others as well: their cards cost "
                "you nothing."
            ),
            lambda scene: _seeks(scene) and scene.now["turns"] >= 2,
        ),
        Point(
            N_(
                "If you think that none of your cards is right, say no play and show them. If that is true "
                "you get a new hand, four cards smaller; if not, a right card of yours is laid and you draw "
                "5."
            ),
            lambda scene: _seeks(scene) and scene.now["turns"] >= 4,
        ),
        Point(
            N_(
                "Whoever thinks he knows the rule may be the Prophet: he judges in God's place, and scores "
                "1 for each card that is right and 2 for each that is wrong. At his first error he is "
                "overthrown and draws 5 cards."
            ),
            lambda scene: scene.phase == "prophecy",
        ),
        Point(
            N_("You are the Prophet. God is silent as long as you are right."),
            lambda scene: scene.phase in OF_THE_PROPHET,
        ),
        Point(
            N_("Another is the Prophet: he judges now, and God corrects him. You go on seeking as before."),
            lambda scene: scene.now["prophet"] not in (None, scene.player),
        ),
        Point(
            N_("Sudden death: so many cards have been played that a wrong one puts you out of the round."),
            lambda scene: _seeks(scene) and scene.now["sudden_death"],
        ),
        Point(
            N_(
                "Now you are God. Think of a rule before you judge, such as: after a red card an even one, "
                "after a black card an odd one. It should be simple; the others have only your answers."
            ),
            _judges,
        ),
        Point(
            N_(
                "God scores as much as the best seeker. So a good rule is one that is found, but late, and "
                "by somebody alone."
            ),
            lambda scene: scene.phase == "god_judge",
        ),
        Point(
            N_("A seeker says that none of his cards is right. Look at them, and say whether he is."),
            lambda scene: scene.phase == "god_claim",
        ),
    ],
    situation=_situation,
    further=[
        N_("cardgods play eleusis: everybody is God once, with rules that are invented for you."),
        N_("cardgods play eleusis --rules ask --god 0: type a rule that the program then judges by."),
        N_(
            "cardgods rule list: rules to choose from, by how hard they are; cardgods rule check RULE: is "
            "yours fair?"
        ),
        N_("cardgods rules eleusis: all the rules."),
    ],
)
