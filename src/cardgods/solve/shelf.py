"""Where solutions of whole games are kept, so that agents, hints and analyses find them."""

import os
from pathlib import Path

FOLDER_VARIABLE = "CARDGODS_SOLUTIONS"


def on_shelf(name: str) -> Path:
    """The path of a stored solution, whether it is there or not.

    Args:
        name: of the file.

    Returns:
        It in the folder that the variable CARDGODS_SOLUTIONS of the environment names; without one in
        ``cardgods`` in the user's data folder (XDG Base Directory Specification).
    """
    folder = os.environ.get(FOLDER_VARIABLE)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return (Path(folder) if folder else Path(data) / "cardgods") / name
