"""Broken logs in a process of its own: no crash of the interpreter, no hang, no shorter game called whole."""

import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAM = """
    import sys
    sys.path.insert(0, sys.argv[1])
    from hypothesis import given, settings, strategies as st
    from logcraft import dealt, games, seats_for
    from cardgods.log import LogBuffer, LogError, derive, make_header, parse_log, verify_bytes
    from cardgods.errors import CardgodsError

    SECRET = bytes(32)
    WHOLE = []
    for game in games():
        log = LogBuffer(make_header(game, seats_for(game), secret=SECRET), SECRET)
        dealt(game, log)
        WHOLE += [log.getvalue(), derive(parse_log(log.getvalue()), 0)]
    seen = 0

    @settings(max_examples=400, deadline=None, derandomize=True, database=None)
    @given(
        st.sampled_from(WHOLE),
        st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=6)), max_size=4),
        st.integers(0, 3000),
    )
    def broken(data, edits, cut):
        global seen
        seen += 1
        changed = bytearray(data)
        for at, piece in edits:
            changed[at : at + len(piece)] = piece
        changed = bytes(changed[: max(len(changed) - cut, 0)] if cut % 3 else changed)
        try:
            log = parse_log(changed)
            assert not log.complete or changed == data
            found = verify_bytes(changed)
            assert not found.complete or changed == data
            assert derive(log, 0)
        except LogError as error:
            assert str(error).isprintable()

    broken()
    print("fuzzed", seen >= 400)
"""


def test_broken_logs_end_in_one_line_and_nothing_worse():
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "fuzzed True\n", "")
