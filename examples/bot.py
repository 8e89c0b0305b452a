"""A complete bot in Python's standard library: `python examples/bot.py --api http://127.0.0.1:8000/api/v1`.

It plays as the player of the token in TAKI_TOKEN or as a new guest, to the end of one game; then it prints the ranking.
"""
# ruff: noqa: S310, T201  # the address is the caller's own, and lines are all that a script can say

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from http.client import HTTPException
from typing import Any

POLL_SECONDS = 0.25
COLORLESS = ("C", "ST", "K", "+3", "X3")


class Server:
    def __init__(self, api: str) -> None:
        self.api, self.token, self.tags = api.rstrip("/"), "", dict[str, tuple[str, Any]]()

    def get(self, path: str) -> Any:
        """What is there. While it has not changed the server sends 304 and no body."""
        tag, known = self.tags.get(path, ("", None))
        status, headers, body = self.ask("GET", path, None, {"If-None-Match": tag} if tag else {})
        self.tags[path] = headers.get("ETag", ""), known if status == 304 else body
        return self.tags[path][1]

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The answer. Sent again, it has the same Idempotency-Key, so that it counts once."""
        status, _, told = self.ask("POST", path, body, {"Idempotency-Key": str(uuid.uuid4())})
        if status >= 400 and "refusal" not in told and status != 409:  # 409: the game has gone on
            sys.exit(told["detail"])
        return told

    def ask(self, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any, Any]:
        """Status, headers and JSON. A limit or a pause of the server is waited for; a lost connection is made anew."""
        headers |= {"Content-Type": "application/json"} | ({"Authorization": self.token} if self.token else {})
        data, wait = None if body is None else json.dumps(body).encode(), POLL_SECONDS
        while True:
            request = urllib.request.Request(self.api + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status, answer.headers, json.load(answer)
            except urllib.error.HTTPError as refused:
                if refused.code < 500 and refused.code != 429:
                    return refused.code, refused.headers, json.loads(refused.read() or "null")
                wait = float(refused.headers.get("Retry-After") or wait)
            except (OSError, HTTPException, ValueError):  # no connection, or half an answer
                pass
            time.sleep(wait)
            wait = min(2 * wait, 10)


def worth(choice: Any, view: Any) -> float:
    """How good a legal command is."""
    kind, card, hand = choice["type"], choice["card"] or "", view["hand"]
    if kind != "play":
        return {"last": 99, "close": 1, "end": 0, "accept": 0, "draw": -5, "leave": -99}[str(kind)]
    if card == "X3":
        return 9 if view["window"] else -4  # else it costs three cards, but it can never be the last one
    color, face, running = choice["color"] or card[0], card[1:], view["run"] is not None
    if len(hand) == 1:
        return -6 if face == "+" else 98  # a Plus cannot win
    same: int = sum(held[0] == color for held in hand if held not in COLORLESS)
    if card in COLORLESS:
        return same / 10 - 2  # they always fit: good last cards
    if face == "T":
        return 20 + same if running or same > 1 else 2  # alone it lies open for the next seat
    effect = {"+2": 2, "S": 1, "D": 1}.get(face, 0)
    return 10 - same / 10 + (-effect if running else effect)  # in a run the last card's effect counts


def move(server: Server, table: str, view: Any) -> None:
    """Send the best command for the position that was seen; if the game has gone on meanwhile, look again."""
    legal = server.get(f"{table}/legal/")
    if legal["version"] != view["version"]:
        return
    best = max(legal["commands"], key=lambda choice: worth(choice, view))
    asked = {"command": best["command"], "expected_version": legal["version"]}
    if best["type"] == "play" and len(view["hand"]) == 2 and best["card"] != "X3":
        told = server.post(f"{table}/commands/", asked | {"command": best["command"] + " last"})
        if told.get("refusal") != "NOT_LAST_CARD":  # a house rule, or a new stage has begun
            return
    server.post(f"{table}/commands/", asked)


def main() -> None:
    options = argparse.ArgumentParser(description="plays TAKI to the end of one game")
    options.add_argument("--api", default="http://127.0.0.1:8000/api/v1")
    options.add_argument("--join", metavar="GAME", help="sit down at this table; without it one is made")
    options.add_argument("--bots", nargs="+", default=["greedy"], metavar="LEVEL", help="who else sits there")
    options.add_argument("--ladder", type=int, metavar="STAGES", help="a TAKI tournament of so many stages")
    chosen = options.parse_args()
    server = Server(chosen.api)
    server.token = "Bearer " + (os.environ.get("TAKI_TOKEN") or server.post("/players/guest/", {"bot": True})["token"])
    table = f"/games/{chosen.join}"
    if chosen.join:
        server.post(f"{table}/join/", {})
    else:
        rules = {"mode": "ladder", "hand_size": chosen.ladder} if chosen.ladder else {}
        table = f"/games/{server.post('/games/', {'seats': 1 + len(chosen.bots), 'house_rules': rules})['id']}"
        for seat, level in enumerate(chosen.bots, start=1):
            server.post(f"{table}/seats/{seat}/bot/", {"level": level})
        server.post(f"{table}/start/", {})
    print(f"plays at {chosen.api}{table}/", flush=True)
    while (view := server.get(f"{table}/view/")).get("phase") not in ("finished", "aborted"):
        if view.get("may_act"):
            move(server, table, view)
        else:
            time.sleep(POLL_SECONDS)
    print(json.dumps(view["ranking"]))


if __name__ == "__main__":
    main()
