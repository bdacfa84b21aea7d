"""Plays by lines of text, see docs/bots.md: `quatuor selfplay --engine 'python3 textbot.py'`. In Quixo it makes the
longest line that it can without a line of the opponent's in the next move; elsewhere any move."""
import random, sys


def after(cubes, move, side):
    """Returns the cubes after a side has taken one and pushed it in at another end of its row or column."""
    (file, rank), (to_file, to_rank) = move[:2], move[3:5]
    line = [s for s in sorted(cubes) if (s[1] == rank if rank == to_rank else s[0] == file)]
    values = [cubes[s] for s in line]
    values.pop(line.index(move[:2]))
    values.insert(line.index(move[3:5]), side)
    return {**cubes, **dict(zip(line, values))}


def moves(cubes, side):
    """Returns the moves of a side: a cube of the border that is blank or its own, and where it is pushed in."""
    for s in cubes:
        if (s[0] in "ae" or s[1] in "15") and cubes[s] in (".", side):
            yield from (f"{s}-{end}" for end in {s[0] + "1", s[0] + "5", "a" + s[1], "e" + s[1]} - {s})


def longest(cubes, side):
    """Returns how many cubes of a side stand in its best row, column or diagonal."""
    files, ranks = "abcde", "12345"
    lines = [[f + r for r in ranks] for f in files] + [[f + r for f in files] for r in ranks]
    lines += [[f + r for f, r in zip(files, ranks)], [f + r for f, r in zip(files, reversed(ranks))]]
    return max(sum(cubes[s] == side for s in line) for line in lines)


def choose(variant, position, seat, legal):
    if variant != "quixo/duel":
        return random.choice(legal)
    rows, side, other = position.split()[0].split("/"), "xo"[seat - 1], "ox"[seat - 1]  # the top row first
    cubes = {f + str(5 - y): row["abcde".index(f)] for y, row in enumerate(rows) for f in "abcde"}

    def worth(move):
        then = after(cubes, move, side)
        own, theirs = longest(then, side), longest(then, other)
        if theirs == 5 or own == 5:
            return -10 if theirs == 5 else 10
        lost = any(longest(after(then, reply, other), other) == 5 for reply in moves(then, other))
        return own - theirs - 9 * lost + random.random() / 10

    return max(legal, key=worth)


variant = position = ""
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "quatuor":
        print("ready Lines in Python", flush=True)
    elif word == "new":
        variant = rest.split()[0]
    elif word in ("position", "view"):
        position = rest
    elif word == "go":
        seat, _ms, *legal = rest.split()
        print("move", choose(variant, position, int(seat), legal), flush=True)
