"""Copy the torn end of a log or archive aside and cut it off; damage is never put right."""

from __future__ import annotations

import click

from cardgods_cli.words import _, n_


@click.command(epilog="Example: cardgods log recover game.cglog")
@click.argument("file", type=click.Path())
def command(file: str) -> None:
    """Copy the torn end of FILE, if it has one, aside and cut it off.

    A torn end is a part of one record, left by a program that died while it wrote. The copy stands beside
    FILE and ends in .torn. Whatever else is wrong with FILE stays as it is and is reported.
    """
    from cardgods.log import ArchiveWriter, is_archive, recover
    from cardgods_cli.look import look_for
    from cardgods_cli.streams import clean

    look = look_for(plain=True)
    if is_archive(file):
        with ArchiveWriter.resume(file) as archive:
            held = n_("{number} log", "{number} logs", archive.number).format(number=archive.number)
            aside = archive.aside
    else:
        done = recover(file)
        count = done.found.count
        held = n_("{number} record", "{number} records", count).format(number=count)
        aside = done.aside
    if aside is None:
        text = _("{file}: {held}, no torn end: nothing to recover")
        look.show(text.format(file=clean(file), held=held))
    else:
        text = _("{file}: {held} are kept, the torn end behind them is now in {aside}")
        look.show(text.format(file=clean(file), held=held, aside=clean(aside)))
