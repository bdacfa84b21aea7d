"""Enters results of a round in the hall, all in one request: hall.py TOURNAMENT_ID ROUND <results.csv, with lines such as
3,1/2-1/2 for board 3. QUATUOR_TOKEN is a token of scope helper, for this tournament alone."""
import csv, os, sys
from quatuor import Client


def enter(client, tournament, number, lines):
    """Sets the results and returns what was refused, as lines of text; the others are set all the same."""
    results = [{"board": int(board), "result": result.strip()} for board, result in csv.reader(lines)]
    answer = client.put(f"/tournaments/{tournament}/rounds/{number}/results", {"results": results})
    return [f"{item['board']}: {item['refused']['detail']}" for item in answer["items"] if "refused" in item]


if __name__ == "__main__":
    client = Client(os.environ["QUATUOR_URL"], os.environ["QUATUOR_TOKEN"])
    refused = enter(client, sys.argv[1], int(sys.argv[2]), sys.stdin)
    sys.exit("\n".join(refused) or None)
