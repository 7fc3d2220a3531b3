"""A bot that plays on a host, by the API and the standard library only (docs/api.md).

Try it with `python3 examples/play_online.py http://localhost:8000 kalamala greedy`.
"""

import json
import random
import sys
from urllib.request import Request, urlopen

host, game, rival = sys.argv[1:]
headers = {"Content-Type": "application/json"}


def ask(path, **body):
    asked = Request(f"{host}/api/v1{path}", json.dumps(body).encode() if body else None, headers)
    with urlopen(asked) as answer:
        return json.load(answer)


headers["Authorization"] = "Bearer " + ask("/me")["token"]
mine, *others = next(each["seats"] for each in ask("/games") if each["name"] == game)
table = ask("/tables", game=game, seats={mine: "me", **dict.fromkeys(others, rival)})
at = f"/tables/{table['id']}"
print(host + table["url"])
for line in urlopen(Request(f"{host}/api/v1{at}/events", headers=headers)):
    if line.startswith(b"event: view"):
        position = ask(f"{at}/position")
        if position["is_over"]:
            break
        if mine in position["to_act"]:
            actions = [random.choice(position["actions"])] if position["actions"] else []
            ask(f"{at}/actions", key=str(position["seq"]), actions=actions, seq=position["seq"])
print(position["result"])
