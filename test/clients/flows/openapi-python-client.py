"""The flow with the client that openapi-python-client makes of openapi.codegen.json."""
import json
import os
from collections.abc import Iterator

import httpx
from httpx_sse import connect_sse

from gatehouse import AuthenticatedClient
from gatehouse.api.action_invocations import create_action_invocation
from gatehouse.api.actions import list_actions, search_actions
from gatehouse.api.runs import cancel_run, create_run, get_run, list_runs, stream_run_events
from gatehouse.api.sessions import create_session, list_sessions, update_session
from gatehouse.models import (
    ActionInvocation, ActionList, ApiError, CreateActionInvocationRequest,
    CreateActionInvocationRequestInput, CreateRunRequest, CreateSessionRequest,
    InputContentPart, InputItem, MessageOutputCompletedEvent, Run, RunStatus,
    ScoredActionList, SearchActionsRequest, Session, SessionList, SessionStatus,
    UpdateSessionRequest,
)
from gatehouse.types import UNSET, Unset

BASE_URL, DAY = os.environ["BASE_URL"], os.environ["DAY"]
api = AuthenticatedClient(base_url=BASE_URL, token=os.environ["API_KEY"])


def prompt(text: str, wait: bool = False) -> CreateRunRequest:
    part = InputContentPart(type_="input_text", text=text)
    return CreateRunRequest(input_=[InputItem(role="user", content=[part])], wait=wait)


def ok(step: str) -> None:
    print(f"ok {step}", flush=True)


session = create_session.sync(client=api, body=CreateSessionRequest(title="Flow"))
assert isinstance(session, Session) and session.title == "Flow"
ok("session")

waited = create_run.sync(
    session.id, client=api, body=prompt("call gatehouse.sessions.list", wait=True))
assert isinstance(waited, Run) and waited.status == RunStatus.COMPLETED
assert "sessions" in waited.output[0].content[0].text
assert waited.tool_calls[0].name == "gatehouse.sessions.list"
ok("wait")


def follow(run_id: str) -> Iterator[tuple[int, str, str]]:
    last, kind = 0, ""
    while kind not in ("run.completed", "run.failed", "run.cancelled"):
        request = stream_run_events._get_kwargs(run_id, starting_after=last)
        request["headers"]["Accept"] = "text/event-stream"
        try:
            with connect_sse(api.get_httpx_client(), **request) as source:
                for message in source.iter_sse():
                    last, kind = int(message.id), message.event
                    yield last, kind, message.data
        except httpx.TransportError:
            pass  # the connection broke


long = create_run.sync(session.id, client=api, body=prompt("@rehearsal words=20 delay_ms=10"))
assert isinstance(long, Run)
expected, words, kind = 1, "", ""
for number, kind, data in follow(long.id):
    assert number == expected, f"{number} where {expected} should come"
    expected += 1
    if kind == "message.output.completed":
        event = MessageOutputCompletedEvent.from_dict(json.loads(data))
        words = event.data.message.content[0].text
assert kind == "run.completed" and len(words.split()) == 20
ok("stream")

for title in ("one", "two", "three"):
    create_session.sync(client=api, body=CreateSessionRequest(title=title))
seen: set[str] = set()
pages = 0
cursor: str | Unset = UNSET
while True:
    page = list_sessions.sync(client=api, limit=2, cursor=cursor)
    assert isinstance(page, SessionList)
    seen.update(one.id for one in page.data)
    pages += 1
    if page.next_cursor is None:
        break
    cursor = page.next_cursor
assert session.id in seen and len(seen) >= 4 and pages >= 2
ok("paging")

slow = create_run.sync(session.id, client=api, body=prompt("@rehearsal words=1000 delay_ms=1000"))
assert isinstance(slow, Run)
cancelled = cancel_run.sync(slow.id, client=api)
assert isinstance(cancelled, Run) and cancelled.status == RunStatus.CANCELLED
ok("cancel")

missing = get_run.sync_detailed("run_none", client=api)
assert missing.status_code == 404 and isinstance(missing.parsed, ApiError)
assert DAY == "values" or missing.parsed.code == "not_found"
update_session.sync(
    session.id, client=api, body=UpdateSessionRequest(status=SessionStatus.ARCHIVED))
archived = create_run.sync(session.id, client=api, body=prompt("Hello"))
assert isinstance(archived, ApiError) and archived.code == "session_archived"
stranger = AuthenticatedClient(base_url=BASE_URL, token=os.environ["WRONG_KEY"])
refused = list_runs.sync(client=stranger)
assert isinstance(refused, ApiError) and refused.code == "invalid_api_key"
ok("errors")

ACTION = "gatehouse.sessions.list"
listed = list_actions.sync(client=api, limit=100)
assert isinstance(listed, ActionList) and ACTION in [one.name for one in listed.data]
found = search_actions.sync(client=api, body=SearchActionsRequest(query="list sessions"))
assert isinstance(found, ScoredActionList) and ACTION in [one.name for one in found.data]
called = create_action_invocation.sync(client=api, body=CreateActionInvocationRequest(
    action=ACTION, input_=CreateActionInvocationRequestInput.from_dict({"query": {"limit": 1}})))
assert isinstance(called, ActionInvocation) and called.status == "completed"
ok("actions")
