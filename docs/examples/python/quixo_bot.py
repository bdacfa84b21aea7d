"""Plays Quixo: takes blank cubes first, and pushes them into the row or column where most cubes are its own."""
import os
from quatuor import Client


def choose(game, seat, legal):
    side = game["seats"][seat - 1]["side"]
    owner = {cell["square"]: cell.get("owner") for row in game["view"]["rows"] for cell in row}

    def worth(move):
        taken, pushed = move.split("-")[:2]
        file, rank = pushed[0], pushed[1]
        line = max(sum(o == side for s, o in owner.items() if s[0] == file),
                   sum(o == side for s, o in owner.items() if s[1] == rank))
        return owner[taken] is None, line

    return max(legal, key=worth)


if __name__ == "__main__":
    Client(os.environ["QUATUOR_URL"], os.environ["QUATUOR_TOKEN"]).play(choose)
