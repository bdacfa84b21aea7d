"""A client of the API of a quatuor server, with the standard library of Python 3.9 or later."""
import json, time, urllib.error, urllib.request, uuid

FIRST_PAUSE, MAX_PAUSE = 1, 30  # seconds after a break of a stream, doubled with each that fails


class Refusal(Exception):
    """A refusal by the server (RFC 9457)."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('type')}: {problem.get('detail', '')}")
        self.status, self.problem = status, problem


class Client:
    """A client of one server for one account. Addresses are below /api/v1."""

    def __init__(self, base, token=""):
        self.base, self.token, self.requests = base.rstrip("/"), token, 0

    def get(self, path):
        return self._call("GET", path)

    def post(self, path, body=None):
        return self._call("POST", path, body, {"Idempotency-Key": str(uuid.uuid4())})

    def put(self, path, body=None):
        return self._call("PUT", path, body, {"If-Match": "*"})

    def patch(self, path, body=None):
        return self._call("PATCH", path, body, {"If-Match": "*"})

    def _call(self, *request):
        with self._send(*request) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def _send(self, method, path, body=None, headers=None):
        self.requests += 1
        headers = dict(headers or {})
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + "/api/v1" + path, data, headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=45)  # a stream has a ping every 15 seconds
        except urllib.error.HTTPError as err:
            raise Refusal(err.code, json.loads(err.read() or b"{}")) from None

    def events(self, path):
        """Follows a stream to its end as pairs of a name and data, and resumes it after each break."""
        last, pause = "", FIRST_PAUSE
        while True:
            try:
                headers = {"Accept": "application/x-ndjson", **({"Last-Event-ID": last} if last else {})}
                with self._send("GET", path, None, headers) as answer:
                    if answer.status == 204:
                        return
                    for line in answer:
                        event = json.loads(line)
                        last, pause = event.get("id", last), FIRST_PAUSE
                        if event["event"] != "ping":
                            yield event["event"], event["data"]
            except (OSError, ValueError):  # the connection broke, within a line perhaps
                pass
            except Refusal as err:
                if err.status < 500 and err.status != 429:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)

    def play(self, choose):
        """Plays for a bot: choose(game, seat, legal) is called once for each turn, and its move is sent."""
        for event, game in self.events("/me/events"):
            try:
                if event == "invited":
                    self.post(f"/games/{game['id']}/accept")
                for seat, legal in game["legal"].items() if event == "my_turn" else ():
                    move = choose(game, int(seat), legal)
                    self.post(f"/games/{game['id']}/moves", {"seat": int(seat), "turn": game["turn"], "move": move})
            except Refusal:
                pass  # the game has changed since the event, and the next one says how
