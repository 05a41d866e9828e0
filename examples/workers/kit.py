"""A worker in ten lines. `judge` gets each event and returns an answer, or nothing to let it pass."""
import json
import sys


def serve(judge):
    for line in sys.stdin:
        request = json.loads(line)
        answer = judge(request["event"]) or {}
        print(json.dumps({**answer, "id": request["id"]}), flush=True)
