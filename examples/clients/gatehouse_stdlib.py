"""Runs a prompt and prints the answer as it comes. Python 3.9 or newer, its standard library alone.

Usage: GATEHOUSE_BASE_URL=http://127.0.0.1:3000/v1 GATEHOUSE_API_KEY=…
       python3 gatehouse_stdlib.py PROMPT
"""
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from http.client import HTTPException

URL = os.environ.get("GATEHOUSE_BASE_URL", "http://127.0.0.1:3000/v1")
ENDS = ("run.completed", "run.failed", "run.cancelled")
TRIES = 8
# A stream says something every 15 seconds; one that is silent for so long is broken.
SILENCE_S = 60


class GatehouseError(Exception):
    """What the service refused: the status, the code for programs, the words for people."""

    def __init__(self, status, answer):
        self.status, self.code = status, answer.get("code", "unknown")
        super().__init__(f"{status} {self.code}: {answer.get('error')} ({answer.get('request_id')})")


def request(method, path, body=None, accept="application/json"):
    """The open response. Repeats what may do better later; a POST is done once, by its key."""
    headers = {"Authorization": f"Bearer {os.environ['GATEHOUSE_API_KEY']}", "Accept": accept}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    for attempt in range(TRIES):
        wait_s = min(30, 2**attempt) * random.uniform(0.5, 1)
        try:
            asked = urllib.request.Request(URL + path, data, headers, method=method)
            return urllib.request.urlopen(asked, timeout=SILENCE_S)
        except urllib.error.HTTPError as error:
            refusal = GatehouseError(error.code, answer_of(error))
            passes = error.code in (408, 429) or error.code >= 500
            if attempt == TRIES - 1 or not (passes or refusal.code == "idempotency_in_progress"):
                raise refusal from None
            asked_s = error.headers.get("Retry-After", "")
            wait_s = int(asked_s) if asked_s.isdecimal() else wait_s
        except (OSError, HTTPException):  # the network, or the service is being restarted
            if attempt == TRIES - 1:
                raise
        time.sleep(wait_s)


def answer_of(response):
    try:
        return json.load(response)
    except (ValueError, OSError, HTTPException):  # a proxy answered, not the service
        return {}


def post(path, body):
    with request("POST", path, body) as response:
        return json.load(response)


def follow(run_id):
    """The run's events, each once and in order, through broken connections."""
    last = 0
    while True:
        path = f"/runs/{run_id}/events?starting_after={last}"
        with request("GET", path, accept="text/event-stream") as stream:
            try:
                for line in stream:
                    if not (line.startswith(b"data: ") and line.endswith(b"\n")):
                        continue
                    event = json.loads(line[6:])
                    last = event["sequence_number"]
                    yield event
                    if event["type"] in ENDS:
                        return
            except (OSError, HTTPException):
                pass  # the connection broke
        time.sleep(1)


def main():
    session = post("/sessions", {"title": "Python"})
    prompt = {"role": "user", "content": [{"type": "input_text", "text": " ".join(sys.argv[1:])}]}
    run = post(f"/sessions/{session['id']}/runs", {"input": [prompt]})
    for event in follow(run["id"]):  # kinds that this does not know are passed over
        if event["type"] == "message.output.delta":
            print(event["data"]["delta"], end="", flush=True)
        if event["type"] == "run.failed":
            print(event["data"]["error"]["message"], file=sys.stderr)
    print(f"\n{event['type']}")
    return 0 if event["type"] == "run.completed" else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except GatehouseError as error:
        sys.exit(str(error))
