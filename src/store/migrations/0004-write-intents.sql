-- What a crash in the midst of a write leaves behind, and hand-overs that were nobody's fault.

-- How often a worker that was told to stop handed the run back. Such attempts do not count as lost.
alter table runs add column handed_back integer not null default 0;

-- A call that changes something is written down here before it leaves, in the same statement that
-- makes sure that its run still may. If the record of its outcome (action_invocations, by
-- invocation_id) is missing later on, nobody knows whether it took effect, and it is not repeated.
-- Not a third status of action_invocations: what is there has an outcome, for every reader.
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
