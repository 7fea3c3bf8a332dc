"""The specified generator: published ChaCha vectors, those of docs/log-format.md, a plain-Python model."""

import ast
import hashlib
import random
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardgods
from cardgods import Random
from cardgods._core.rng import chacha_block, seed_key

DOC = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text(encoding="utf-8")
CONSTANTS = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]


class Model:
    """The section "Random numbers" in plain Python; `bits` is the size of a word in the bounded draw."""

    def __init__(self, seed, stream=0):
        letter, body = {
            int: lambda: (b"i", str(seed).encode()),
            str: lambda: (b"s", seed.encode("utf-8")),
            bytes: lambda: (b"b", seed),
        }[type(seed)]()
        self.key = hashlib.sha256(b"cardgods-rng-v1" + letter + body).digest()
        self.stream = stream
        self.block = 0
        self.left = []

    def word(self):
        if not self.left:
            counter = struct.unpack("<4I", struct.pack("<QQ", self.block, self.stream))
            self.left = model_block([*CONSTANTS, *struct.unpack("<8I", self.key), *counter], 8)
            self.block += 1
        return self.left.pop(0)

    def below(self, n):
        return model_below(self.word, n, 32)

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def weighted(self, weights):
        r = self.below(sum(weights))
        return next(i for i in range(len(weights)) if sum(weights[: i + 1]) > r)

    def random(self):
        high = self.word()
        return ((high << 32 | self.word()) >> 11) / 2**53


def model_below(word, n, bits):
    while True:
        product = word() * n
        if product % 2**bits >= 2**bits % n:
            return product >> bits


def model_block(start, rounds):
    x = list(start)

    def rotated(value, count):
        return (value << count | value >> 32 - count) & 0xFFFFFFFF

    def quarter(a, b, c, d):
        for p, q, r, count in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[p] = (x[p] + x[q]) & 0xFFFFFFFF
            x[r] = rotated(x[r] ^ x[p], count)

    for _ in range(rounds // 2):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return [(a + b) & 0xFFFFFFFF for a, b in zip(x, start, strict=True)]


# Published vectors ----------------------------------------------------------------------------------------


def test_the_chacha20_block_of_rfc_8439():
    # Section 2.3.2: key 00 01 .. 1f, block counter 1, nonce 00:00:00:09:00:00:00:4a:00:00:00:00.
    key = struct.unpack("<8I", bytes(range(32)))
    nonce = struct.unpack("<3I", bytes.fromhex("000000090000004a00000000"))
    block = struct.pack("<16I", *chacha_block([*CONSTANTS, *key, 1, *nonce], 20))
    assert block.hex() == (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


@pytest.mark.parametrize(
    ("counter", "block"),
    [
        (
            0,
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
            "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
        ),
        (
            1,
            "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
            "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa",
        ),
    ],
)
def test_the_chacha8_blocks_of_the_zero_key(counter, block):
    # draft-strombergson-chacha-test-vectors-01, test case 1: 256-bit key and IV of zeros, 8 rounds.
    words = chacha_block([*CONSTANTS, *[0] * 8, counter, 0, 0, 0], 8)
    assert struct.pack("<16I", *words).hex() == block


def test_a_chacha_state_has_sixteen_words():
    for count in (0, 15, 17):
        with pytest.raises(ValueError, match="16 words"):
            chacha_block([0] * count, 8)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=16, max_size=16), st.sampled_from([2, 8, 12, 20]))
def test_the_block_function_is_that_of_the_model(words, rounds):
    assert chacha_block(words, rounds) == model_block(words, rounds)


# The vectors of the page ----------------------------------------------------------------------------------


def vectors():
    section = DOC.partition("## Random numbers\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.+?)` \| (\d+) \| (.+?) \| `(.+?)` \|$", section, re.MULTILINE)
    return [(ast.literal_eval(seed), int(stream), what, result) for seed, stream, what, result in rows]


def drawn(rng, what, count):
    """What the page's words ask of a generator, as text."""
    if what == "first words":
        word = rng.word if isinstance(rng, Model) else rng.bits32
        return " ".join(f"{word():08x}" for _ in range(count))
    if what == "key":
        return rng.key.hex()
    if what == "floats":
        return " ".join(rng.random().hex() for _ in range(count))
    if match := re.fullmatch(r"numbers below (\d+)", what):
        return " ".join(str(rng.below(int(match[1]))) for _ in range(count))
    if match := re.fullmatch(r"shuffle of 0\.\.(\d+)", what):
        items = list(range(int(match[1]) + 1))
        rng.shuffle(items)
        return " ".join(map(str, items))
    weights = [int(w) for w in re.fullmatch(r"draws with weights ([\d ]+)", what)[1].split()]
    return " ".join(str(rng.weighted(weights)) for _ in range(count))


@pytest.mark.parametrize("make", [Random, Model])
@pytest.mark.parametrize(("seed", "stream", "what", "result"), vectors())
def test_the_vectors_of_the_page(make, seed, stream, what, result):
    assert drawn(make(seed, stream), what, len(result.split())) == result


def test_the_page_has_vectors_of_every_kind():
    found = vectors()
    assert len(found) == 14
    assert {type(seed) for seed, *_ in found} == {int, str, bytes}
    kinds = {re.sub(r"[\d. ]+$", "", what) for _, _, what, _ in found}
    assert kinds == {"first words", "key", "numbers below", "shuffle of", "draws with weights", "floats"}


@given(
    st.integers() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.binary(max_size=20),
    st.integers(0, 2**64 - 1),
    st.lists(st.integers(1, 2**32 - 1), max_size=40),
)
def test_the_generator_is_that_of_the_page(seed, stream, bounds):
    ours, model = Random(seed, stream), Model(seed, stream)
    assert (ours.key, seed_key(seed), ours.stream) == (model.key, model.key, stream)
    for bound in bounds:
        assert ours.below(bound) == model.below(bound)
    assert [ours.bits32() for _ in range(20)] == [model.word() for _ in range(20)]
    assert ours.random() == model.random()
    left, right = list(range(30)), list(range(30))
    ours.shuffle(left)
    model.shuffle(right)
    assert left == right
    weights = [bound % 1000 for bound in bounds] + [1]
    assert ours.weighted(weights) == model.weighted(weights)


# Draws ----------------------------------------------------------------------------------------------------


def test_the_bounded_draw_is_exactly_uniform():
    # Every word of 8 bits once, for every bound: each result has as many words, the rest are refused.
    for bound in range(1, 256):
        counts = [0] * bound
        for word in range(256):
            queue = [word]
            try:
                counts[model_below(queue.pop, bound, 8)] += 1
            except IndexError:
                continue
        assert set(counts) == {256 // bound}


def test_the_bounded_draw_refuses_words_where_it_must():
    # With this bound nearly half of all words are refused, so the draws run ahead of the words.
    bound = 2**31 + 1
    rng, words = Random("refused"), Random("refused")
    draws = [rng.below(bound) for _ in range(2000)]
    used = 0
    for draw in draws:
        while True:
            used += 1
            product = words.bits32() * bound
            if product % 2**32 >= 2**32 % bound:
                break
        assert draw == product >> 32
    assert 3700 < used < 4300


@pytest.mark.parametrize("bound", [2, 6, 13, 52, 365])
def test_the_bounded_draw_passes_chi_square(bound):
    rng = Random(f"chi-square {bound}")
    expected = 200
    counts = [0] * bound
    for _ in range(expected * bound):
        counts[rng.below(bound)] += 1
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    # Mean and standard deviation of the statistic under uniformity.
    mean, deviation = bound - 1, (2 * (bound - 1)) ** 0.5
    assert abs(statistic - mean) < 4 * deviation


def test_all_orders_of_a_shuffle_are_equally_frequent():
    rng = Random("orders")
    counts = {}
    for _ in range(24 * 400):
        items = [0, 1, 2, 3]
        rng.shuffle(items)
        counts[tuple(items)] = counts.get(tuple(items), 0) + 1
    assert len(counts) == 24
    assert sum((count - 400) ** 2 / 400 for count in counts.values()) < 23 + 4 * 46**0.5


def test_weights_are_kept_and_zero_is_never_drawn():
    rng = Random("weights")
    counts = [0] * 4
    for _ in range(6000):
        counts[rng.weighted([1, 0, 2, 3])] += 1
    assert counts[1] == 0
    for count, weight in zip(counts, [1, 0, 2, 3], strict=True):
        assert abs(count - 1000 * weight) < 200


def test_floats_lie_below_one():
    rng = Random("floats")
    values = [rng.random() for _ in range(5000)]
    assert all(0 <= value < 1 for value in values)
    assert all((value * 2**53).is_integer() for value in values)
    assert abs(sum(values) / 5000 - 0.5) < 0.02


def test_choice_is_a_bounded_draw():
    letters = "abcdefg"
    rng, numbers = Random(5), Random(5)
    assert [rng.choice(letters) for _ in range(50)] == [letters[numbers.below(7)] for _ in range(50)]


# Seeds and streams ----------------------------------------------------------------------------------------


def test_seeds_of_different_kinds_differ():
    seeds = [0, 1, -1, 10**40, "0", "1", "", "i0", b"0", b"", b"i0", "é", "e\u0301"]
    assert len({seed_key(seed) for seed in seeds}) == len(seeds)
    assert Random().key == seed_key(0)


@pytest.mark.parametrize("seed", [True, None, 1.0, [1], bytearray(b"x")])
def test_a_seed_of_another_type_is_refused(seed):
    with pytest.raises(TypeError, match="a seed is an int, a str or bytes"):
        Random(seed)


@pytest.mark.parametrize("stream", [-1, 2**64])
def test_a_stream_has_64_bits(stream):
    with pytest.raises(OverflowError):
        Random(0, stream)


@pytest.mark.parametrize("bound", [0, -1, 2**32])
def test_a_bound_has_32_bits(bound):
    with pytest.raises(ValueError, match=r"1\.\.2\*\*32-1"):
        Random(0).below(bound)


def test_streams_are_independent_of_each_other_and_of_what_was_drawn():
    parent = Random("streams")
    parent.bits32()
    child = parent.spawn(9)
    assert (child.key, child.stream) == (parent.key, 9)
    assert skip(child, 0, 40) == skip(Random("streams", 9), 0, 40)
    words = {tuple(skip(Random("streams", stream), 0, 4)) for stream in (0, 1, 2, 2**32, 2**63)}
    assert len(words) == 5


def skip(rng, first, count):
    for _ in range(first):
        rng.bits32()
    return [rng.bits32() for _ in range(count)]


def test_blocks_follow_each_other():
    model = Model(3)
    assert skip(Random(3), 0, 200) == [model.word() for _ in range(200)]


def test_nothing_depends_on_the_random_module():
    def game(noise):
        rng = Random("noise")
        state = cardgods.load_game("encan").new_initial_state(turn_based=True)
        while not state.is_terminal():
            noise()
            state.apply_action(
                state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
            )
        return state.history()

    quiet = game(lambda: None)
    before = random.getstate()
    assert game(lambda: random.seed(1)) == quiet
    random.setstate(before)
    assert game(lambda: None) == quiet
    assert random.getstate() == before
