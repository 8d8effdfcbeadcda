"""The flow with httpx and the models that datamodel-code-generator makes of openapi.codegen.json."""
import os
from collections.abc import Iterator
from typing import TypeVar

import httpx
from httpx_sse import connect_sse
from pydantic import BaseModel

from gatehouse import (
    ActionInvocation, ActionList, ApiError, CreateActionInvocationRequest, CreateRunRequest,
    CreateSessionRequest, InputContentPart, InputItem, MessageOutputCompletedEvent, Run, RunEvent,
    ScoredActionList, SearchActionsRequest, Session, SessionList, SessionStatus,
    Title, UpdateSessionRequest,
)

BASE_URL, DAY = os.environ["BASE_URL"], os.environ["DAY"]
api = httpx.Client(base_url=BASE_URL, timeout=90,
                   headers={"Authorization": f"Bearer {os.environ['API_KEY']}"})
Model = TypeVar("Model", bound=BaseModel)
KINDS = {"message.output.completed", "run.completed"}


class Refused(Exception):
    def __init__(self, status: int, body: ApiError) -> None:
        super().__init__(f"{status} {body.code}: {body.error}")
        self.status, self.body = status, body


def call(model: type[Model], method: str, path: str, body: BaseModel | None = None,
         params: dict[str, str | int] | None = None) -> Model:
    json = body.model_dump(mode="json", exclude_unset=True) if body else None
    response = api.request(method, path, json=json, params=params)
    if response.is_error:
        raise Refused(response.status_code, ApiError.model_validate_json(response.content))
    return model.model_validate_json(response.content)


def prompt(text: str, wait: bool = False) -> CreateRunRequest:
    part = InputContentPart(type="input_text", text=text)
    return CreateRunRequest(input=[InputItem(role="user", content=[part])], wait=wait)


def ok(step: str) -> None:
    print(f"ok {step}", flush=True)


session = call(Session, "POST", "/sessions", CreateSessionRequest(title=Title(root="Flow")))
assert session.title == "Flow"
ok("session")

runs = f"/sessions/{session.id}/runs"
waited = call(Run, "POST", runs, prompt("call gatehouse.sessions.list", wait=True))
assert waited.status == "completed"
assert "sessions" in waited.output[0].content[0].text
assert waited.tool_calls[0].name == "gatehouse.sessions.list"
ok("wait")


def follow(run_id: str) -> Iterator[tuple[int, str, str]]:
    last, kind = 0, ""
    while kind not in ("run.completed", "run.failed", "run.cancelled"):
        try:
            with connect_sse(api, "GET", f"/runs/{run_id}/events",
                             params={"starting_after": last}) as source:
                for message in source.iter_sse():
                    last, kind = int(message.id), message.event
                    yield last, kind, message.data
        except httpx.TransportError:
            pass  # the connection broke


long = call(Run, "POST", runs, prompt("@rehearsal words=20 delay_ms=10"))
expected, words, kind = 1, "", ""
for number, kind, data in follow(long.id):
    assert number == expected, f"{number} where {expected} should come"
    expected += 1
    if kind in KINDS:  # one that is newer than this client does not fit RunEvent
        event = RunEvent.model_validate_json(data).root
        if isinstance(event, MessageOutputCompletedEvent):
            words = event.data.message.content[0].text
assert kind == "run.completed" and len(words.split()) == 20
ok("stream")

for title in ("one", "two", "three"):
    call(Session, "POST", "/sessions", CreateSessionRequest(title=Title(root=title)))
seen: set[str] = set()
pages = 0
query: dict[str, str | int] = {"limit": 2}
while True:
    page = call(SessionList, "GET", "/sessions", params=query)
    seen.update(one.id for one in page.data)
    pages += 1
    if page.next_cursor is None:
        break
    query["cursor"] = page.next_cursor
assert session.id in seen and len(seen) >= 4 and pages >= 2
ok("paging")

slow = call(Run, "POST", runs, prompt("@rehearsal words=1000 delay_ms=1000"))
assert call(Run, "POST", f"/runs/{slow.id}/cancel").status == "cancelled"
ok("cancel")


def refusal(method: str, path: str, body: BaseModel | None = None) -> Refused:
    try:
        call(Run, method, path, body)
    except Refused as error:
        return error
    raise AssertionError(f"{method} {path} was not refused")


missing = refusal("GET", "/runs/run_none")
assert missing.status == 404 and (DAY == "values" or missing.body.code == "not_found")
call(Session, "PATCH", f"/sessions/{session.id}", UpdateSessionRequest(status=SessionStatus.archived))
assert refusal("POST", runs, prompt("Hello")).body.code == "session_archived"
api.headers["Authorization"] = f"Bearer {os.environ['WRONG_KEY']}"
assert refusal("GET", "/runs").body.code == "invalid_api_key"
api.headers["Authorization"] = f"Bearer {os.environ['API_KEY']}"
ok("errors")

ACTION = "gatehouse.sessions.list"
listed = call(ActionList, "GET", "/actions", params={"limit": 100})
assert ACTION in [one.name for one in listed.data]
found = call(
    ScoredActionList, "POST", "/actions/search", SearchActionsRequest(query="list sessions"))
assert ACTION in [one.name for one in found.data]
called = call(ActionInvocation, "POST", "/action_invocations",
              CreateActionInvocationRequest(action=ACTION, input={"query": {"limit": 1}}))
assert called.status == "completed"
ok("actions")
