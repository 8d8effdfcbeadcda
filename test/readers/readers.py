"""Reads a run's events by the reader that is named, and prints each as a line of JSON.

Usage: python3 readers.py <name of a function below> <url of the service> <run id>

A connection that breaks is made again after the last number, until the run's last event.
"""
import json
import sys

import httpx
import httpx_sse
import requests
import sseclient

_, NAME, URL, RUN_ID = sys.argv
STREAM = f"{URL}/v1/runs/{RUN_ID}/events"
HEADERS = {"Accept": "text/event-stream"}
LAST = ("run.completed", "run.failed", "run.cancelled")
BROKEN = (httpx.TransportError, requests.ConnectionError,
          requests.exceptions.ChunkedEncodingError)


def with_httpx_sse(query):
    with httpx.Client(timeout=60) as client:
        with httpx_sse.connect_sse(client, "GET", STREAM, params=query) as source:
            for event in source.iter_sse():
                yield event.id, event.event, event.data


def with_sseclient(query):
    for event in sseclient.SSEClient(by_requests(query)).events():
        yield event.id, event.event, event.data


def with_requests_lines(query):
    yield from at_blank_lines(line.decode() for line in by_requests(query).iter_lines())


def with_requests_text_lines(query):
    yield from at_blank_lines(by_requests(query).iter_lines(decode_unicode=True))


def with_httpx_lines(query):
    with httpx.stream("GET", STREAM, params=query, headers=HEADERS, timeout=60) as response:
        response.raise_for_status()
        yield from at_blank_lines(response.iter_lines())


def by_requests(query):
    response = requests.get(STREAM, params=query, headers=HEADERS, stream=True, timeout=60)
    response.raise_for_status()
    return response


def at_blank_lines(lines):
    """The few lines that people write: whatever came before a blank line is an event."""
    fields = {}
    for line in lines:
        if line == "":
            yield fields.get("id", ""), fields.get("event", ""), fields.get("data", "")
            fields = {}
        elif not line.startswith(":"):
            name, value = line.split(": ", 1)
            fields[name] = value


def main():
    last = 0
    while True:
        try:
            for number, kind, data in globals()[NAME]({"starting_after": last}):
                print(json.dumps({"id": number, "event": kind, "data": data}), flush=True)
                last = json.loads(data)["sequence_number"]
                if kind in LAST:
                    return
        except BROKEN:
            pass


main()
