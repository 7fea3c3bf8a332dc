"""Checks of positions set up by hand: every wrong value is a ParameterError, whatever its type."""

from typing import Any

from cardgods.errors import ParameterError, shown


def listed(values: Any, where: str) -> list[Any]:  # noqa: ANN401
    """The values as a list.

    Raises:
        ParameterError: if they are none.
    """
    try:
        return list(values)
    except TypeError:
        raise ParameterError(f"impossible position: {where} is {shown(values)}, not a list") from None


def pair(values: Any, where: str) -> list[Any]:  # noqa: ANN401
    """A value for each of two players.

    Raises:
        ParameterError: if there are not two.
    """
    both = listed(values, where)
    if len(both) != 2:
        raise ParameterError(f"impossible position: {where} has {len(both)} entries for 2 players")
    return both


def flags(values: Any, where: str) -> list[bool]:  # noqa: ANN401
    """A yes or no for each of two players: bools, or 0 and 1.

    Raises:
        ParameterError: if they are anything else.
    """
    both = pair(values, where)
    if not all(flag in (0, 1) and not isinstance(flag, float) for flag in both):
        raise ParameterError(
            f"impossible position: {where} is {shown(both)}, not a yes or no for each player"
        )
    return [bool(flag) for flag in both]


def units_of(points: Any, scale: int, most: int) -> int:  # noqa: ANN401
    """Units of score in a number of points.

    Args:
        points: 0 to `most`, a whole number of units.
        scale: units in a point, 1 or 2.
        most: largest number of points.

    Raises:
        ParameterError: if the points are no such number.
    """
    try:
        units = points * scale
        if 0 <= units <= most * scale and units == int(units):
            return int(units)
    except (TypeError, ValueError):
        # No number at all; the same message does.
        pass
    step = "half points" if scale == 2 else "whole points"
    raise ParameterError(
        f"impossible position: {shown(points)} points; scores and carry run from 0 to {most}, in {step}"
    )


def points_of(units: int, scale: int) -> int | float:
    """The points of some units of score; a float only for a fraction."""
    return units / scale if units % scale else units // scale
