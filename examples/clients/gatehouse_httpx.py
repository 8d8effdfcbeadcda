"""Runs a prompt and prints the answer as it comes. Python 3.9 or newer and httpx.

Usage: GATEHOUSE_BASE_URL=http://127.0.0.1:3000/v1 GATEHOUSE_API_KEY=…
       python3 gatehouse_httpx.py PROMPT
"""
import asyncio
import json
import os
import random
import sys
import uuid
from contextlib import asynccontextmanager

import httpx

URL = os.environ.get("GATEHOUSE_BASE_URL", "http://127.0.0.1:3000/v1")
ENDS = ("run.completed", "run.failed", "run.cancelled")
TRIES = 8
# A stream says something every 15 seconds; one that is silent for so long is broken.
SILENCE_S = 60


class GatehouseError(Exception):
    """What the service refused: the status, the code for programs, the words for people."""

    def __init__(self, response):
        try:
            answer = response.json()
        except ValueError:  # a proxy answered, not the service
            answer = {}
        self.status, self.code = response.status_code, answer.get("code", "unknown")
        super().__init__(
            f"{self.status} {self.code}: {answer.get('error')} ({answer.get('request_id')})")


class Gatehouse:
    """A client of one service; `http` sends the key with each request."""

    def __init__(self, http):
        self.http = http

    @asynccontextmanager
    async def request(self, method, path, **options):
        """The open response. Repeats what may do better later; a POST is done once, by its key."""
        if method == "POST":
            options["headers"] = {"Idempotency-Key": str(uuid.uuid4())}
        for attempt in range(TRIES):
            wait_s = min(30, 2**attempt) * random.uniform(0.5, 1)
            try:
                sent = self.http.build_request(method, path, **options)
                response = await self.http.send(sent, stream=True)
            except httpx.TransportError:  # the network, or the service is being restarted
                if attempt == TRIES - 1:
                    raise
            else:
                if response.is_success:
                    try:
                        yield response
                    finally:
                        await response.aclose()
                    return
                await response.aread()
                refusal = GatehouseError(response)
                passes = refusal.status in (408, 429) or refusal.status >= 500
                if attempt == TRIES - 1 or not (passes or refusal.code == "idempotency_in_progress"):
                    raise refusal
                asked_s = response.headers.get("Retry-After", "")
                wait_s = int(asked_s) if asked_s.isdecimal() else wait_s
            await asyncio.sleep(wait_s)

    async def post(self, path, body):
        async with self.request("POST", path, json=body) as response:
            return json.loads(await response.aread())

    async def follow(self, run_id):
        """The run's events, each once and in order, through broken connections."""
        last = 0
        while True:
            async with self.request("GET", f"/runs/{run_id}/events",
                                    params={"starting_after": last},
                                    headers={"Accept": "text/event-stream"}) as stream:
                try:
                    async for line in stream.aiter_lines():
                        if not line.startswith("data: "):
                            continue
                        event = json.loads(line[6:])
                        last = event["sequence_number"]
                        yield event
                        if event["type"] in ENDS:
                            return
                except (httpx.TransportError, json.JSONDecodeError):
                    pass  # the connection broke, perhaps within a line
            await asyncio.sleep(1)


async def main():
    headers = {"Authorization": f"Bearer {os.environ['GATEHOUSE_API_KEY']}"}
    async with httpx.AsyncClient(base_url=URL, headers=headers, timeout=SILENCE_S) as http:
        gatehouse = Gatehouse(http)
        session = await gatehouse.post("/sessions", {"title": "httpx"})
        content = [{"type": "input_text", "text": " ".join(sys.argv[1:])}]
        run = await gatehouse.post(f"/sessions/{session['id']}/runs",
                                   {"input": [{"role": "user", "content": content}]})
        async for event in gatehouse.follow(run["id"]):  # unknown kinds are passed over
            if event["type"] == "message.output.delta":
                print(event["data"]["delta"], end="", flush=True)
            if event["type"] == "run.failed":
                print(event["data"]["error"]["message"], file=sys.stderr)
    print(f"\n{event['type']}")
    return 0 if event["type"] == "run.completed" else 1


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except GatehouseError as error:
        sys.exit(str(error))
