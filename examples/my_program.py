"""A bot as a program of its own: JSON lines, the standard library, and no Kibitz (docs/bots.md).

Try it with `kibitz arena as-kimble "run:python3 examples/my_program.py" random -n 4`.
"""

import json
import random
import sys


def say(answer):
    print(json.dumps(answer), flush=True)


for line in sys.stdin:
    told = json.loads(line)
    if told["is"] == "hello":
        rng, seat = random.Random(told["seed"]), told["seat"]
        say({"is": "ready"})
    elif told["is"] == "choose":
        longest = max(len(action) for action in told["actions"])
        best = [action for action in told["actions"] if len(action) == longest]
        say({"action": rng.choice(best), "thoughts": {"nodes": len(told["actions"])}})
    elif told["is"] == "over":
        print(f"{seat} got {told['scores'][seat]}", file=sys.stderr)
