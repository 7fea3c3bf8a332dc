"""Copy the torn end of a log or archive aside and cut it off; damage is never put right."""

from __future__ import annotations

import click


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
            held, aside = f"{archive.number} logs", archive.aside
    else:
        done = recover(file)
        held, aside = f"{done.found.count} records", done.aside
    if aside is None:
        look.show(f"{clean(file)}: {held}, no torn end: nothing to recover")
    else:
        look.show(f"{clean(file)}: {held} are kept, the torn end behind them is now in {clean(aside)}")
