-- Calls that were being made when their worker crashed; hand-overs that no run was the cause of.

-- How often a worker that was told to stop handed the run back. Such attempts do not count as lost.
alter table runs add column handed_back integer not null default 0;

-- A call that changes something is recorded here before it is sent, by the statement that also
-- makes sure that its run may still act. If the record of its outcome (action_invocations, with
-- the same invocation_id) is missing later on, nobody knows whether the call took effect, and it
-- is not repeated. It is not a third status in action_invocations, because everybody who reads an
-- invocation expects an outcome.
create table write_intents (
  workspace_id  text collate "C" not null,
  run_id        text collate "C" not null,
  tool_call_id  text collate "C" not null,
  invocation_id text collate "C" not null,
  action        text not null,
  connection_id text collate "C" not null,
  api_key_id    text collate "C" not null,
  input         json not null,
  created_at    timestamptz not null default clock_timestamp(),
  primary key (workspace_id, run_id, tool_call_id)
);
create index write_intents_by_age on write_intents (created_at);
