"""A bot as a program of its own: JSON lines, the standard library, and no Kibitz (docs/bots.md).

Try it with `kibitz arena as-kimble "run:python3 examples/my_program.py" random -n 4`.
"""

import json
import random
import sys


def say(answer):
    print(json.dumps(answer), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rng, seat = random.Random(message["seed"]), message["seat"]
        say({"type": "ready"})
    elif message["type"] == "choose":
        longest = max(len(action) for action in message["actions"])
        best = [action for action in message["actions"] if len(action) == longest]
        say({"action": rng.choice(best), "evaluation": {"nodes": len(message["actions"])}})
    elif message["type"] == "over":
        print(f"{seat} got {message['scores'][seat]}", file=sys.stderr)
