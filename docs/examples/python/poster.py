"""Posts pairings and standings of a tournament to a chat: poster.py TOURNAMENT_ID. QUATUOR_CHAT is the address of the
chat's incoming webhook, which takes {"text": …} as Mattermost, Rocket.Chat and Slack do."""
import json, os, sys, urllib.request
from quatuor import Client


def post(text):
    body = json.dumps({"text": text}).encode()
    request = urllib.request.Request(os.environ["QUATUOR_CHAT"], body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=30).close()


def texts(client, tournament):
    """Yields what is to be posted: each round once it is published, and the standings once it is complete."""
    path, names, posted = "/tournaments/" + tournament, {}, set()
    for event, data in client.events(path + "/events"):
        if event == "pairings" and (data["number"], data["status"]) not in posted:
            posted.add((data["number"], data["status"]))
            if not names:
                names = {e["id"]: e["name"] for e in client.get(path + "/entries")["items"]}
            if data["status"] == "published":
                boards = (f"{p['board']}. " + " – ".join(names[s] for s in p["seats"]) for p in data["pairings"])
                yield f"Round {data['number']}\n" + "\n".join(boards)
            elif data["status"] == "complete":
                table = client.get(path + "/standings")
                yield f"After round {data['number']}\n" + "\n".join(
                    f"{r['rank']}. {r['entry']['name']} {r['points']}" for r in table["rows"])


if __name__ == "__main__":
    for text in texts(Client(os.environ["QUATUOR_URL"], os.environ.get("QUATUOR_TOKEN", "")), sys.argv[1]):
        post(text)
