"""Plays Quits: moves whichever marble comes nearest to its goal by that, and slides rows only if it has to."""
import os
from quatuor import Client


def choose(game, seat, legal):
    side = game["seats"][seat - 1]["side"]
    goal = game["view"]["players"][side - 1]["goal"]

    def distance(square):
        return max(abs(ord(square[0]) - ord(goal[0])), abs(int(square[1]) - int(goal[1])))

    def worth(move):
        if "-" not in move:
            return -1
        start, end = move.split("-")[0], move.split("-")[-1]
        return distance(start) - distance(end) if end[:1].isalpha() and end[1:].isdigit() else 9  # out by the goal

    return max(legal, key=worth)


if __name__ == "__main__":
    Client(os.environ["QUATUOR_URL"], os.environ["QUATUOR_TOKEN"]).play(choose)
