"""The language itself: what may be written, in both languages, and what is said of what may not."""

import time

import pytest

from cardgods import Random
from cardgods.cards import card_name, parse_card
from cardgods.errors import CardgodsError, RuleTextError
from cardgods.rule import find_rule, library, parse_rule
from cardgods.rule.parser import MAX_LENGTH
from conftest import reference

REFERENCE = reference("eleusis_rule")


@pytest.mark.parametrize("entry", library(), ids=lambda entry: entry.name)
def test_the_canonical_form_parses_to_the_same_rule(entry):
    rule = entry.rule
    again = parse_rule(rule.text)
    assert again == rule
    assert (again.start, again.body) == (rule.start, rule.body)
    assert again.text == rule.text
    assert rule.machine.digest() == again.machine.digest()
    assert parse_rule(rule.text, "en").digest() == rule.digest()


def test_random_rules_round_trip():
    rng = Random("round trip")
    for _ in range(400):
        rule = parse_rule(REFERENCE.random_rule(rng, 3))
        again = parse_rule(rule.text)
        assert (again.text, again.start, again.body) == (rule.text, rule.start, rule.body)
        assert rule.words("en").endswith(".")
        assert rule.words("fr").endswith(".")


@pytest.mark.parametrize(
    ("text", "lang", "canonical"),
    [
        ("  NOT   same( Colour )  ;", "en", "not same(colour)"),
        ("(red) and ((odd and high))", "en", "red and odd and high"),
        ("c1.rank ≥ 3 and rank ≠ 4 or rank == 9 or rank <> 2", "en", None),
        ("rank in {J, 3, A..5}", "en", "rank in {J, 3, A..5}"),
        ("rank in {3}", "en", "rank in {3}"),
        ("step in 1..3", "en", "step in 1..3"),
        ("suit = hearts or last.suit in {clubs, spades}", "en", None),
        ("card in {10H, As, T♦}", "en", "card in {10h, As, 10d}"),
        ("not (rank in {2, 4})", "en", "rank not in {2, 4}"),
        ("rank not in {2, 4}", "en", "rank not in {2, 4}"),
        ("not not red", "en", "not not red"),
        ("if red then odd else if even then high else low", "en", None),
        ("if red then (if odd then high else low) else any", "en", None),
        ("red xor (odd iff even)", "en", "red xor (odd iff even)"),
        ("(red xor odd) iff even", "en", "red xor odd iff even"),
        ("rank - (last.rank - 1) > -3", "en", "rank - (last.rank - 1) > -3"),
        ("(rank - last.rank) - 1 > 0", "en", "rank - last.rank - 1 > 0"),
        ("rank % 3 % 2 = 1", "en", "rank % 3 % 2 = 1"),
        ("rank mod 3 = 1", "en", "rank % 3 = 1"),
        ("last.rank = king or ace = rank", "en", "last.rank = K or A = rank"),
        ("last.black iff colour = last.colour", "en", None),
        ("si dernier.rouge alors pique sinon non pair", "fr", "if last.red then spades else not even"),
        ("départ : rang dans 5..9 ; même(couleur) ou rang > c2.rang", "fr", None),
        ("meme(enseigne, premiere) ssi derniere.figure", "fr", "same(suit, first) iff last.face"),
        ("rang dans {V, D, R, As}", "fr", "rank in {J, Q, K, A}"),
        ("rang = As oux as", "fr", "rank = A xor ace"),
        ("carte parmi {10C, RP, A♣}", "fr", "card in {10h, Ks, Ac}"),
        ("cycle(pique, cœur, carreau, trèfle)", "fr", "cycle(spades, hearts, diamonds, clubs)"),
        ("motif(pas = 2, pas = 1)", "fr", "pattern(step = 2, step = 1)"),
        ("série(couleur) < 3 et moins(famille) et non vu(rang)", "fr", None),
        ("compte(rouge) modulo 2 = position modulo 2", "fr", "count(red) % 2 = pos % 2"),
        ("écart(rang, dernière.rang) = 1", "fr", "dist(rank, last.rank) = 1"),
        ("premier oux dernier.premier", "fr", "prime xor last.prime"),
        ("rang > premier.rang", "fr", "rank > first.rank"),
    ],
)
def test_forms_and_aliases(text, lang, canonical):
    rule = parse_rule(text, lang)
    if canonical is not None:
        assert rule.text == canonical
    assert parse_rule(rule.text).text == rule.text


def test_french_and_english_words_mean_the_same():
    pairs = [
        ("si dernier.impair alors rouge sinon noir", "if last.odd then red else black"),
        ("haut oux derniere.haute", "high xor last.high"),
        ("pgcd(rang, dernier.rang) = 1", "gcd(rank, last.rank) = 1"),
        ("rang > maximum ou rang < minimum", "rank > hmax or rank < hmin"),
        ("monte ou descend et plus(parité)", "up or down and most(parity)"),
    ]
    for french, english in pairs:
        assert parse_rule(french, "fr") == parse_rule(english) == parse_rule(french, "en")


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 0, "the rule is empty"),
        ("   ", 0, "the rule is empty"),
        ("rnk > 3", 1, "did you mean rank"),
        ("red and hart", 9, "did you mean hart|did you mean heart"),
        ("last.rnk = 3", 1, "a card has no 'rnk'; did you mean rank"),
        ("lst.rank = 3", 1, "no card that can be named: those are card, last, c2"),
        ("c7.red", 1, "no card that can be named"),
        ("suit < 3", 8, "a suit and a number cannot be compared"),
        ("suit < hearts", 1, "a suit has no order: use = or in"),
        ("red = 4", 7, "cannot be compared"),
        ("face = red", 1, "between conditions write iff"),
        ("rank % 0 = 1", 8, "a number from 2 to 13"),
        ("rank % 1 = 0", 8, "a number from 2 to 13"),
        ("rank % 14 = 0", 8, "a number from 2 to 13"),
        ("rank % pos = 0", 8, "a number from 2 to 13"),
        ("count(count(red)) = 2", 7, "count takes a condition on the counted card alone"),
        ("count(last.red) = 2", 7, "count takes a condition on the counted card alone"),
        ("rank > 1234", 8, "at most 3 digits"),
        ("rank > 99999999999", 8, "at most 3 digits"),
        ("rank in 9..5", 9, "the span 9..5 is empty"),
        ("rank in {red}", 10, "a number cannot be in a set with a condition"),
        ("red in {odd}", 1, "in takes a value before it"),
        ("5 <= rank <= 9", 11, "write x in a..b"),
        ("red and if odd then high else low", 9, "put an if inside brackets"),
        ("if red then odd", 16, "ends too early: expected 'else'"),
        ("not (red", 9, "ends too early"),
        ("red)", 4, "cannot stand here"),
        ("red odd", 5, "cannot stand here"),
        ("rank", 1, "a rule takes conditions; this is a number"),
        ("rank and red", 1, "and takes conditions"),
        ("same", 1, "same needs brackets, such as same(suit)"),
        ("same()", 1, "same takes 1 to 2"),
        ("same(odd)", 6, "same takes one of rank, suit"),
        ("same(suit, red)", 12, "same compares with last"),
        ("run(card) = 1", 5, "run takes one of rank"),
        ("foo(red)", 1, "'foo' is no function"),
        ("red(odd)", 1, "red takes no brackets"),
        ("cycle(red, 3)", 12, "cycle takes values of one kind"),
        ("cycle(hearts, hearts)", 15, "stands twice"),
        ("cycle(1, 14)", 10, "run from 1 to 13"),
        ("pattern(red)", 1, "pattern takes 2 to 24"),
        ("start: last.red; odd", 8, "the first card alone"),
        ("start: pos = 1; odd", 8, "the first card alone"),
        ("start: red and black; odd", 8, "no card fulfils the start condition"),
        ("start: rank; odd", 8, "the start condition takes conditions"),
        ("card = 11H", 10, "cannot stand here"),
        ("card = 10P", 8, "'10P' is no card"),
        ("rank * rank * rank * rank * rank * rank * rank * rank * rank > 1", 1, "can become too large"),
        ("red @ odd", 5, "the character '@' has no meaning"),
        ("red\0", 4, "has no meaning"),
        ("rank ^ 2 = 4", 6, "the character '^' has no meaning"),
        ("2 ** 3 = rank", 4, "cannot stand here"),
    ],
)
def test_errors_name_the_place_and_what_is_allowed(text, column, says):
    with pytest.raises(RuleTextError) as caught:
        parse_rule(text).program  # noqa: B018
    assert any(part in str(caught.value) for part in says.split("|"))
    assert caught.value.column == column
    assert "\n" not in str(caught.value)


def test_suggestions_come_for_the_library_too():
    assert find_rule("Suit-Or-Rank").text == "same(suit) or same(rank)"
    with pytest.raises(
        RuleTextError, match="neither a rule nor one of the library; did you mean suit-or-rank"
    ):
        find_rule("suit-or-rnk")


# Hostile texts ---------------------------------------------------------------------------------------------

HOSTILE = [
    "(" * 5000 + "red" + ")" * 5000,
    "(" * 60 + "red" + ")" * 60,
    "(" * 39 + "red" + ")" * 39,
    "not " * 300 + "red",
    "not " * 39 + "red",
    " and ".join(["red"] * 200),
    " and ".join(["red"] * 400),
    " or ".join(["same(suit, c6)"] * 100),
    " xor ".join(["red"] * 150),
    "+".join(["rank"] * 300) + "> 1",
    "-" * 1500 + "rank = 1",
    "rank = 12345678901",
    "__import__",
    "__import__('os').system('true')",
    "red; import os",
    "last.__class__",
    "last.rank.real = 1",
    "rank ** 9 ** 9 ** 9 = 1",
    "c7.red",
    "red\x00",
    "\x1b[31mred",
    "if red then",
    "if " * 200 + "red",
    "",
    "rank % 0 = 0",
    "suit < 3",
    "count(count(red)) = 1",
    "a" * 2000,
    "é" * 2000,
    "rank in {" + ",".join(["1"] * 600) + "}",
    "pattern(" + ",".join(["red"] * 25) + ")",
    "pattern(" * 38 + "red, odd" + ", red)" * 37 + ")",
    "{" * 2000,
    "red" + " " * 1990,
    "9" * 2000,
    "ß" * 100,
    "🂡",
    "\u202ered",
    "x" * (MAX_LENGTH + 1),
    "rank*" * 100 + "1 = 1",
    "least(rank) and most(points) and least(suit) and seen(rank) and run(suit) = run(rank)",
    "count(red)*count(odd) > count(face)*count(high) + count(ace)*count(king)",
    "same(card, c6) or same(card, c5) or same(card, c4)",
    None,
    7,
    b"red",
]
WORDS = [
    *("red", "odd", "rank", "last", ".", "c2", "c7", "(", ")", "{", "}", ",", ";", ":", "..", "start"),
    *(
        "and",
        "or",
        "not",
        "xor",
        "iff",
        "if",
        "then",
        "else",
        "in",
        "same",
        "run",
        "count",
        "pattern",
        "cycle",
    ),
    *("0", "1", "13", "999", "1000", "%", "*", "+", "-", "=", "!=", "<", "<=", "suit", "hearts", "K", "10H"),
    *("As", "dernier", "rang", "même", "si", "alors", "sinon", "seen", "least", "hmax", "pos", "step", "\0"),
    *(
        "é",
        "@",
        "__",
        "\u2028",
        "'",
        '"',
        "\\",
        "/",
        "#",
        "[",
        "]",
        "~",
        "^",
        "&",
        "|",
        "?",
        "!",
        "$",
        "`",
        "",
    ),
]


def outcome(text):
    """The rule, or the error, of a text; anything but a clean error is a failure."""
    try:
        rule = parse_rule(text)
        rule.program  # noqa: B018
    except CardgodsError as error:
        return error
    return rule


def is_clean(found):
    return not isinstance(found, Exception) or (0 < len(str(found)) < 300 and str(found).isprintable())


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_end_in_a_rule_or_a_clean_error(text):
    assert is_clean(outcome(text))


def fuzzed(rng):
    kind = rng.below(4)
    if kind == 0:  # words in any order
        return " ".join(rng.choice(WORDS) for _ in range(1 + rng.below(12)))
    if kind == 1:  # any characters
        return "".join(chr(rng.below(0x250) or 32) for _ in range(rng.below(60)))
    text = list(REFERENCE.random_rule(rng, 2))  # a good rule, perhaps with a few characters changed
    for _ in range(rng.below(4)):
        text[rng.below(len(text))] = rng.choice(("", " ", "(", ")", ".", "9", "x", "=", ",", "\t", "é"))
    return "".join(text)


def test_fuzzed_texts_end_in_a_rule_or_a_clean_error():
    rng = Random("fuzz")
    found = [outcome(fuzzed(rng)) for _ in range(10000)]
    assert all(is_clean(one) for one in found)
    errors = sum(isinstance(one, Exception) for one in found)
    assert 1000 < errors < 9000  # both outcomes are really reached


def test_refusals_are_quick():
    # Not a benchmark: the limit is two orders above what a refusal takes, so that only a blow-up fails.
    outcome("red")
    for text in HOSTILE:
        began = time.process_time()
        outcome(text)
        assert time.process_time() - began < 5, text


# What rules mean -------------------------------------------------------------------------------------------


def verdict(rule, line, card):
    cards = [parse_card(word) for word in line.split()]
    return bool(parse_rule(rule).right(cards) >> parse_card(card) & 1)


@pytest.mark.parametrize(
    ("rule", "line", "right", "wrong"),
    [
        # the start: a missing card makes an atom unknown, and unknown is right
        ("same(suit)", "", "2c", None),
        ("red and rank > c2.rank", "5h", "9d", "9c"),
        ("red and rank > c2.rank", "5h 9d", "6d", "4d"),
        ("same(suit, c2) or same(rank)", "5h", "9c", None),
        ("same(suit, c2) or same(rank)", "5h 9c", "9d", "8s"),
        ("not up", "", "Ks", None),
        ("not up", "5h", "4c", "6c"),
        ("if last.red then red else red", "", "5h", "5c"),
        ("hmax < 9", "", "Ks", None),
        ("cycle(1, 4, 9)", "5h", "Kc", None),
        ("cycle(1, 4, 9)", "4h", "9c", "Ac"),
        ("cycle(1, 4, 9)", "9h", "Ac", "4c"),
        # groups of suits alternate; the ten is red or black by its suit
        ("suit in {hearts, clubs} xor last.suit in {hearts, clubs}", "5h", "5d", "5c"),
        ("suit in {hearts, clubs} xor last.suit in {hearts, clubs}", "5d", "5c", "5s"),
        ("suit in {hearts, spades} xor last.suit in {hearts, spades}", "5h", "5c", "5s"),
        ("red", "5h", "10h", "10s"),
        ("colour = last.colour", "10d", "10h", "10c"),
        # the ace is one, and neighbours the king only on the circle
        ("rank = 1", "As", "Ah", "Kh"),
        ("up", "Kh", None, "Ah"),
        ("step = 1", "Kh", "Ah", "Qh"),
        ("dist(rank, last.rank) = 1", "Ah", "Ks", "3s"),
        ("points = 10", "10h", "Kh", "9h"),
        ("prime", "5h", "Kc", "9c"),
        # alternation goes by place, not by what was accepted last
        ("pattern(step = 2, step = 1)", "5h", "6h", "7h"),
        ("pattern(step = 2, step = 1)", "5h 6d", "8h", "7h"),
        ("pos % 3 = 1 xor same(suit)", "5h 6h 7h", "8c", "8h"),
        ("run(colour) < 3", "5h 6h", "8c", None),
        ("if run(colour) < 3 then same(colour) else not same(colour)", "5h 6h 7d", "8c", "8h"),
        ("start: red; count(red) > count(black)", "5h 6c", None, "*"),
        ("not seen(rank)", "5h 6h", "7h", "5c"),
        ("least(suit)", "5h 6c 7d", "2s", "2h"),
        ("most(suit)", "5c 6c", "2c", "2h"),
        ("same(rank, first)", "5h 5c 5d", "5s", "6d"),
        ("rank in last.rank..last.rank + 3", "5h", "8c", "9c"),
        ("card = last or black", "5h", "5h", "5d"),
        ("rank not in {J, Q, K}", "5h", "10c", "Jc"),
    ],
)
def test_what_rules_mean(rule, line, right, wrong):
    if right is not None:
        assert verdict(rule, line, right)
    cards = [parse_card(word) for word in line.split()]
    if wrong == "*":
        assert parse_rule(rule).right(cards) == 0
    elif wrong is not None:
        assert not verdict(rule, line, wrong)
    else:
        assert parse_rule(rule).right(cards) == (1 << 52) - 1


def test_the_start_clause_rules_the_first_card_alone():
    rule = parse_rule("start: black; red")
    assert rule.right([]) == sum(1 << card for card in range(52) if card // 13 in (0, 3))
    assert rule.right([0]) == sum(1 << card for card in range(52) if card // 13 in (1, 2))


def test_a_line_that_is_wrong_is_refused():
    with pytest.raises(ValueError, match="card number 2 of the line is wrong under red"):
        parse_rule("red").right([13, 0])


def test_words_of_a_rule():
    assert parse_rule("not spades").words("en") == "The card is not a spade."
    assert parse_rule("not spades").words("fr") == "La carte n'est pas un pique."
    assert (
        parse_rule("rank > last.rank").words("fr")
        == "Le rang de la carte dépasse le rang de la dernière carte."
    )
    both = parse_rule("start: red; if last.face then number else up")
    assert both.words("en") == (
        "The first card: the card is red. After it: if the last card is a court card, then the card is a "
        "number card, otherwise the card is higher than the last card."
    )
    assert parse_rule("card = 10H").words("fr").endswith(f"{card_name(parse_card('10h'), 'fr')}.")
