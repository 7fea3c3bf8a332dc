"""Every cut and every flipped bit of a log; by hand for all games, with `make damage`.

A reader goes from record to record, so what is before a record need not be read again for each flip in it.
"""

import sys

from logcraft import fair_game, games, undone_game

from cardgods.log import CorruptLogError, NotALogError, TornTailError, derive, frame, parse_log
from cardgods.log.reader import Parser


def reader_at(data, log, number):
    """A reader of bytes that stands before a record, the ones before it being those of a log."""
    reader = Parser(data, "the log")
    if number:
        reader.header = log.header
        at = log.offsets[number]
        reader.jump(at, number, data[at - 16 : at])
    return reader


def what_comes(reader):
    """The error at the record where a reader stands; None if it is read."""
    try:
        if reader.number == 0:
            reader.read_header()
        else:
            reader.read_record()
    except (CorruptLogError, TornTailError) as error:
        return error
    return None


def every_flip(data, size=None, step=1):
    """Flip each bit of a log, or of its beginning of a size; how many there were. Or of each so many-th byte.

    In a whole log each is damage of the record in which it is. At the end of a beginning it may also pass
    for a torn tail, which gives the exact records before it and says that the game is not whole.
    """
    log = parse_log(data)
    size = len(data) if size is None else size
    for byte in range(0, len(frame.MAGIC), step):
        for bit in range(8):
            try:
                parse_log(flipped(data[:size], byte, bit))
            except NotALogError:
                continue
            raise AssertionError((byte, bit))
    for number, at in enumerate(log.offsets[:-1]):
        end = log.offsets[number + 1]
        for byte in range(at + -at % step, min(end, size), step):
            for bit in range(8):
                error = what_comes(reader_at(flipped(data[:size], byte, bit), log, number))
                if isinstance(error, TornTailError):
                    assert size < len(data), (byte, bit)
                    # Only what was torn already can be changed without a trace, or the last record, whose
                    # length field now reaches beyond the end.
                    assert end > size or end == size, (byte, bit)
                else:
                    assert isinstance(error, CorruptLogError), (byte, bit)
                assert error.offset == at
    return 8 * len(range(0, size, step))


def flipped(data, byte, bit):
    changed = bytearray(data)
    changed[byte] ^= 1 << bit
    return bytes(changed)


def every_cut(data):
    """Cut a log at each byte: whole records, or one torn behind them and its exact place; how many cuts."""
    log = parse_log(data)
    for size in range(len(frame.MAGIC)):
        try:
            parse_log(data[:size])
        except NotALogError:
            continue
        raise AssertionError(size)
    for number, at in enumerate(log.offsets[:-1]):
        for size in range(at, log.offsets[number + 1]):
            if size == at and number:
                continue  # a whole number of records: an unfinished game
            error = what_comes(reader_at(data[:size], log, number))
            assert isinstance(error, TornTailError), size
            assert (error.offset, error.torn) == (at, size - at)
    return len(data)


def main():
    for game in games():
        for what, data in (("", fair_game(game)), (" with undos", undone_game(game))):
            for kind, log in (("", data), (", view of seat 0", derive(parse_log(data), 0))):
                flips, cuts = every_flip(log), every_cut(log)
                print(f"{game}{what}{kind}: {flips} flipped bits found, {cuts} cuts recovered", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
