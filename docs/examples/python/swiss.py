"""Runs a Swiss tournament on the server's boards: swiss.py NAME ROUNDS PLAYER_ID… Players move; it waits for the end.

It takes five requests, however many play: the tournament, all entries at once, the start, the first round, and the stream
that brings later rounds and the standings."""
import os, sys
from quatuor import Client


def run(client, name, rounds, players, **settings):
    path = "/tournaments/" + client.post("/tournaments", {
        "name": name, "variant": "quixo/duel", "format": "swiss", "rounds": rounds, "time_control": "180+2",
        "auto_rounds": True, **settings})["id"]
    client.post(path + "/entries", {"entries": [{"player_id": player} for player in players]})
    client.post(path + "/start")
    client.post(path + "/rounds")
    done, table = 0, None
    for event, data in client.events(path + "/events"):
        if event == "pairings" and data["status"] == "complete":
            done = data["number"]
        if event == "standings":
            table = data
        if done == rounds and table and table["round"] == rounds:
            return table


if __name__ == "__main__":
    client = Client(os.environ["QUATUOR_URL"], os.environ["QUATUOR_TOKEN"])
    standings = run(client, sys.argv[1], int(sys.argv[2]), sys.argv[3:])
    for row in standings["rows"]:
        print(f"{row['rank']:3} {row['points']:>5} {row['entry']['name']}")
    print(client.requests, "requests", file=sys.stderr)
