"""Committed deals: the secret comes before the cuts, the cards follow from both, and anybody can check it."""

import hashlib
import hmac

import msgpack
import pytest
from logcraft import bodies_of, chance, dealt, forge, games, logged, move, records_of, reforged, seats_for

import cardgods
from cardgods.errors import ParameterError
from cardgods.log import (
    ChanceOutcome,
    CorruptLogError,
    Cut,
    IllegalLogError,
    LogBuffer,
    Secret,
    UnsupportedLogError,
    codec,
    make_header,
    parse_log,
    verify,
    verify_bytes,
)

SECRET = bytes(range(32))


def fair(game, secret=SECRET, cuts=(0,), cut=b"a word"):
    """The log of a whole game under a committed deal."""
    log = LogBuffer(make_header(game, seats_for(game), secret=secret, cuts=cuts), secret)
    for player in cuts:
        log.cut(player, cut)
    dealt(game, log)
    return log.getvalue()


@pytest.fixture(params=list(games()), ids=str)
def game(request):
    return request.param


ENCAN = cardgods.load_game("encan", variant="express", target=None)


def test_a_committed_deal_is_checked_to_its_last_card(game):
    data = fair(game)
    found = verify(data)
    assert found.complete
    assert found.secret == SECRET
    assert found.rng.key == found.deal.key
    kinds = [type(record) for record in found.log.records[:3]]
    assert kinds[:2] == [Secret, Cut]
    assert found.log.records[1] == Cut(0, b"a word")


def test_the_deal_follows_from_the_page(game):
    """Commitment, seed and chance outcomes, computed as docs/log-format.md says and with nothing of ours."""
    data = fair(game)
    log = parse_log(data)
    hidden = msgpack.packb(dict(sorted(game.secret_parameters().items())))
    commit = hashlib.sha256(b"cardgods-commit-v1" + SECRET + hidden).digest()
    assert log.header.deal.digest == commit
    cut = records_of(data)[2]
    seed = hmac.new(SECRET, b"cardgods-deal-v1" + cut[-16:], "sha256").digest()
    state = game.new_initial_state(turn_based=True)
    count = 0
    for record in log.records[2:-1]:
        if isinstance(record, ChanceOutcome):
            assert record.outcome == state.sample_chance(cardgods.Random(seed, count))
            state.apply_action(record.outcome)
            count += 1
        else:
            state.apply_action(record.action)
    assert count > 0


def test_each_cut_and_each_secret_gives_other_cards():
    deals = {
        tuple(r.outcome for r in parse_log(fair(ENCAN, secret, cut=cut)).records if type(r) is ChanceOutcome)
        for secret in (SECRET, bytes(32))
        for cut in (b"", b"a", b"b")
    }
    assert len(deals) == 6


def test_a_card_that_the_deal_does_not_give_is_refused_at_its_record(game):
    data = fair(game)
    log = parse_log(data)
    state = game.new_initial_state(turn_based=True)
    changed = 0
    for number, record in enumerate(log.records[2:-1], 3):
        if isinstance(record, ChanceOutcome):
            others = [outcome for outcome in state.legal_actions() if outcome != record.outcome]
            if others and changed < 5:
                with pytest.raises(IllegalLogError, match="its deal gives") as caught:
                    verify(reforged(data, {number: chance(others[0])}))
                assert caught.value.record == number
                changed += 1
        state.apply_action(record.action if hasattr(record, "action") else record.outcome)
    assert changed


def test_another_secret_does_not_open_the_commitment():
    data = fair(ENCAN)
    other = codec.SECRET, codec.encode_secret(Secret(bytes(32)))
    with pytest.raises(IllegalLogError, match="not the one that was committed to") as caught:
        verify(reforged(data, {1: other}))
    assert caught.value.record == 1


def test_a_cut_cannot_be_changed_added_moved_or_left_out():
    game = ENCAN
    data = fair(game, cuts=(0, 1))
    first = msgpack.unpackb(records_of(data)[0])[2]
    secret, cut0, cut1, *rest = bodies_of(data)
    forged = {
        "its deal gives": [secret, (codec.CUT, msgpack.packb([0, b"other"])), cut1, *rest],
        "needs here": [secret, cut1, cut0, *rest],
        "the committed deal lacks the cut of player 1": [secret, cut0, *rest],
        "lacks its secret": [rest[0], secret, cut0, cut1, *rest[1:]],
    }
    for words, bodies in forged.items():
        with pytest.raises(IllegalLogError, match=words):
            verify(forge(*bodies, header_body=first))
    for bodies in (
        [secret, secret, cut0, cut1, *rest],
        [secret, cut0, cut1, cut1, *rest],
        [cut0, secret, cut1, *rest],
        [secret, cut0, cut1, rest[0], cut0, *rest[1:]],
        [secret, cut0, cut1, *rest[:-1], secret],
    ):
        with pytest.raises(IllegalLogError):
            verify(forge(*bodies, header_body=first))
    for wrong in ((codec.SECRET, msgpack.packb(bytes(31))), (codec.CUT, msgpack.packb([0, bytes(65)]))):
        with pytest.raises(CorruptLogError):
            verify(forge(wrong, header_body=first))


def test_what_belongs_to_a_deal_has_no_place_in_another_log():
    state = ENCAN.new_initial_state(turn_based=True)
    first = msgpack.unpackb(records_of(logged(state))[0])[2]
    for kind, body in ((codec.SECRET, msgpack.packb(SECRET)), (codec.CUT, msgpack.packb([0, b""]))):
        with pytest.raises(IllegalLogError, match="commits to no deal") as caught:
            verify(forge((kind, body), header_body=first))
        assert caught.value.exit_code == 3


def test_an_unfinished_deal_is_a_valid_beginning():
    data = fair(ENCAN, cuts=(0, 1))
    log = parse_log(data)
    for number in range(1, len(log.offsets) - 1):
        found = verify_bytes(data[: log.offsets[number]])
        assert found.exit_code == 4
        assert (found.deal is not None) == (number >= 4)
        assert found.head.due == (0, 1)[max(number - 2, 0) :]


def test_a_writer_lets_nobody_play_before_all_have_cut():
    log = LogBuffer(make_header(ENCAN, seats_for(ENCAN), secret=SECRET, cuts=(0, 1)), SECRET)
    assert (log.due, log.deal) == ((0, 1), None)
    for attempt in (
        lambda: log.append(-1, 0),
        lambda: log.cut(1, b""),
        lambda: log.cut(0, bytes(65)),
        lambda: log.cut(0, "text"),
    ):
        with pytest.raises(ParameterError):
            attempt()
    log.cut(0, b"x")
    with pytest.raises(ParameterError, match="player 1 has cut"):
        log.append(-1, 0)
    log.cut(1, b"")
    assert log.due == ()
    with pytest.raises(ParameterError, match="nobody's turn to cut"):
        log.cut(0, b"")
    log.append(-1, ENCAN.new_initial_state(True).sample_chance(log.deal.spawn(0)))
    assert verify(log.getvalue()).count == 4


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": SECRET, "seed": 1},
        {"cuts": (0,)},
        {"secret": SECRET, "cuts": (1, 0)},
        {"secret": SECRET, "cuts": (0, 0)},
        {"secret": SECRET, "cuts": (2,)},
        {"secret": bytes(16)},
        {"secret": "x" * 32},
    ],
)
def test_a_header_that_commits_to_nonsense_is_refused(fields):
    with pytest.raises(ParameterError):
        make_header(ENCAN, seats_for(ENCAN), **fields)


def test_a_secret_goes_with_its_header():
    with pytest.raises(ParameterError, match="a secret goes with"):
        LogBuffer(make_header(ENCAN, seats_for(ENCAN), secret=SECRET))
    with pytest.raises(ParameterError, match="a secret goes with"):
        LogBuffer(make_header(ENCAN, seats_for(ENCAN)), SECRET)


@pytest.mark.parametrize(
    "deal",
    [
        None,
        {"commit": bytes(32)},
        {"commit": bytes(31), "cuts": []},
        {"commit": "x" * 32, "cuts": []},
        {"commit": bytes(32), "cuts": [1, 0]},
        {"commit": bytes(32), "cuts": [True]},
        {"commit": bytes(32), "cuts": [5]},
        {"commit": bytes(32), "cuts": [], "zzz": 1},
    ],
)
def test_a_header_with_a_malformed_commitment_is_no_header(deal):
    state = ENCAN.new_initial_state(turn_based=True)
    fields = msgpack.unpackb(msgpack.unpackb(records_of(logged(state))[0])[2])
    body = msgpack.packb(dict(sorted({**fields, "deal": deal}.items())))
    with pytest.raises(CorruptLogError):
        parse_log(forge(move(0, 0), header_body=body))


def test_the_hidden_options_are_bound_by_the_commitment(monkeypatch):
    """As if the target were a rule that the players have to find."""
    monkeypatch.setattr(type(ENCAN), "secret_parameters", lambda game: {"target": game.options.target})
    data = fair(ENCAN)
    assert verify(data).complete
    fields = msgpack.unpackb(msgpack.unpackb(records_of(data)[0])[2])
    other = cardgods.load_game("encan", variant="express", target=29)
    fields |= {"options": dict(sorted(other.parameters().items())), "digest": other.ruleset_digest()}
    changed = forge(*bodies_of(data), header_body=msgpack.packb(fields))
    with pytest.raises(IllegalLogError, match="not the one that was committed to"):
        verify(changed)


def test_a_log_of_other_rules_is_not_judged_whatever_its_deal():
    data = fair(ENCAN)
    fields = msgpack.unpackb(msgpack.unpackb(records_of(data)[0])[2])
    with pytest.raises(UnsupportedLogError):
        verify(forge(*bodies_of(data), header_body=msgpack.packb({**fields, "digest": "0" * 64})))
