"""Draw the first turn of solved Encan games: who bids what for each treasure, as an SVG of heat maps.

    python bench/encan_picture.py OUT.svg SOLUTION.cgs [SOLUTION.cgs ...]

The solutions come from `cardgods solve encan --out`; each gives a row of two maps, one for each player.
"""

import sys
from html import escape
from pathlib import Path

from cardgods.solve.encan import load_solution

CELL, LEFT, TOP, GAP = 26, 46, 92, 64
INK, FAINT, FULL = "#222", "#777", (178, 34, 52)
SHOWN = 0.005
"""Shares below this are left white, those from a tenth on are written in the cell."""


def text(x, y, words, size=11, anchor="middle", colour=INK):
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"


def tint(share):
    strength = min(1.0, (share / 0.4) ** 0.6)
    return "#" + "".join(f"{round(255 + (c - 255) * strength):02x}" for c in FULL)


def heat_map(left, top, names, rows, title):
    """Rows of shares, one for each treasure."""
    out = [text(left + CELL * len(names) / 2, top - 34, title, 13)]
    out += [text(left + CELL * (i + 0.5), top - 8, name, 11, colour=FAINT) for i, name in enumerate(names)]
    for j, (treasure, shares) in enumerate(rows):
        y = top + CELL * j
        out.append(text(left - 8, y + CELL * 0.65, treasure, 11, "end", FAINT))
        for i, share in enumerate(shares):
            x = left + CELL * i
            fill = tint(share) if share >= SHOWN else "#fff"
            label = f"treasure {treasure}, bid {names[i]}: {share:.1%}"
            out.append(
                f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#ddd">'
                f"<title>{escape(label)}</title></rect>"
            )
            if share >= 0.1:
                colour = "#fff" if share >= 0.25 else INK
                out.append(text(x + CELL / 2, y + CELL * 0.65, f"{100 * share:.0f}", 10, colour=colour))
    return out


def first_turns(solution):
    """Per player: rows of (treasure, share of each card)."""
    game = solution.game
    cards = game.options.cards
    rows = ([], [])
    for place, card in enumerate(cards):
        state = game.new_initial_state()
        state.apply_action(place)
        for player, shares in enumerate(solution.strategy(state).bids):
            rows[player].append((game.card_name(card), [shares[c] for c in cards]))
    return rows


def draw(solutions):
    """The whole picture."""
    names = [solutions[0].game.card_name(card) for card in solutions[0].game.options.cards]
    side = CELL * len(names)
    width, height = 2 * (LEFT + side) + 30, len(solutions) * (side + GAP) + TOP - GAP // 2
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="Helvetica, Arial, sans-serif" role="img">',
        "<title>Optimal first bids in L'Encan d'Hermès</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        text(width / 2, 26, "The first turn, played optimally: share of each bid, in %", 16),
        text(width / 2, 44, "rows: the treasure on the table; columns: the bid", 12, colour=FAINT),
    ]
    for number, solution in enumerate(solutions):
        top = TOP + 10 + number * (side + GAP)
        kind = "with the Obole" if solution.game.options.obole else "without the Obole"
        for player, rows in enumerate(first_turns(solution)):
            seat = f"player {player}" + (" (\u201cfirst\u201d)" if player == 0 else "")
            left = LEFT + player * (LEFT + side)
            out += heat_map(
                left, top, names, rows, f"{kind}, {seat}, wins {abs(player - solution.value):.2%}"
            )
    return "\n".join([*out, "</svg>", ""])


def main():
    target, *files = sys.argv[1:]
    Path(target).write_text(draw([load_solution(path) for path in files]), encoding="utf-8")


if __name__ == "__main__":
    main()
