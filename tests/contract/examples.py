"""The examples in the OpenAPI document, taken from a running system: `python -m tests.contract.examples URL`."""

import json
import sys
from pathlib import Path
from typing import Any

import httpx

FILE = Path(__file__).parents[2] / "config" / "openapi_examples.json"
SHOWN_AT = "https://taki.example"
MOVE = {"type": "play", "cards": [{"card": "RT"}, {"card": "R3"}, {"card": "R+2"}], "then": "close"}


def taken(url: str) -> dict[str, Any]:
    """Component → an example of it."""
    guest = httpx.post(f"{url}/api/v1/players/guest/", json={"name": None}, timeout=20).json()
    http = httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {guest['token']}"}, timeout=20)
    body = {"seats": 2, "first_player": "host", "name": "Friday night", "house_rules": {"mode": "single"}}
    game = http.post("/games/", json=body).json()
    path = f"/games/{game['id']}/"
    http.post(f"{path}seats/1/bot/", json={"level": "greedy"})
    http.post(f"{path}start/", json={})
    legal = http.get(f"{path}legal/").json()
    seen = http.get(path).json()
    audit = http.get(f"{path}audit/").json()
    view = http.get(f"{path}view/").json()
    moved = http.post(f"{path}commands/", json={"command": legal["commands"][0]["command"]}).json()
    return {
        "Guest": {**guest, "token": "taki_…"},
        "Me": http.get("/players/me/").json(),
        "GameBody": body,
        "Game": seen,
        "View": view,
        "Legal": {**legal, "commands": legal["commands"][:3] + legal["commands"][-1:], "refused": legal["refused"][:2]},
        "CommandFields": {**MOVE, "expected_version": 41},
        "CommandText": {"command": "play RT R3 R+2 close", "expected_version": 41},
        "Move": moved,
        "EventList": http.get(f"{path}events/", params={"limit": 2}).json(),
        "Audit": audit,
        "Problem": http.post(f"{path}commands/", json={"command": "last"}).json(),
    }


if __name__ == "__main__":
    address = sys.argv[1].rstrip("/")
    text = json.dumps(taken(address), indent=2, ensure_ascii=False)
    FILE.write_text(text.replace(address, SHOWN_AT) + "\n", encoding="utf-8")
