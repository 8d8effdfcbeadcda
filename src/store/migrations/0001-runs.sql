-- Workspaces, their keys, and what runs in them.
--
-- Ids are text in byte order (collate "C"): they begin with a millisecond timestamp, so byte order
-- is creation order, in keyset pages and in the partitions of run_events.
-- workspace_id leads every key, so that the tables can be distributed by it without a change.

create table workspaces (
  id           text collate "C" primary key,
  name         text not null,
  model        text,            -- default model of its agents; null: the operator's MODEL
  instructions text,            -- default instructions of its agents
  limits       json not null default '{}',
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  allowed_models json,          -- patterns such as "openai/*"; null: what the operator allows
  archived_at  timestamptz,     -- null: it is active
  ended_at     timestamptz      -- as that of a key
);
create index workspaces_to_end on workspaces (id) where archived_at is not null and ended_at is null;

create table api_keys (
  workspace_id text collate "C" not null references workspaces (id),
  id           text collate "C" not null,
  name         text not null,
  hint         text not null,   -- the last characters of the key, for a person to recognise it by
  sha256       bytea not null,  -- the key itself is shown once and never stored
  created_at   timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- A revoked key, or an archived workspace, ends what runs in its name. That is done in batches
  -- after the revocation has committed, by whichever node comes first, and noted here once nothing
  -- is left.
  ended_at     timestamptz,  -- null: not revoked, or what runs in its name is being ended
  -- As which key the dashboard acts in a workspace: nobody has its secret. One at a time.
  dashboard    boolean not null default false,
  -- For whom an api key stands, as the identity provider knows them.
  identities   text[] not null default '{}',
  primary key (workspace_id, id)
);
-- A bearer token arrives without its workspace, so this one lookup cannot lead with workspace_id.
create unique index api_keys_by_sha256 on api_keys (sha256);
create index api_keys_to_end on api_keys (workspace_id, id)
  where revoked_at is not null and ended_at is null;
create unique index api_keys_of_dashboard on api_keys (workspace_id)
  where dashboard and revoked_at is null;
create index api_keys_by_identity on api_keys using gin (identities)
  where identities <> '{}' and revoked_at is null;

create table sessions (
  workspace_id text collate "C" not null references workspaces (id),
  id           text collate "C" not null,
  status       text not null default 'active' check (status in ('active', 'archived')),
  title        text,
  metadata     json not null default '{}',
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- `where … is not null` leaves out nothing, here and below. It keeps an index that a list is filtered
-- by from those that a look for one row by its key may take: in a database without statistics both
-- cost the same, and by this one it reads all of the workspace.
create index sessions_by_status on sessions (workspace_id, status, id) where status is not null;

-- The runs table is also the queue. An append rewrites its row (last_seq), so the row is kept
-- narrow (prompts are moved out of line from 256 bytes on) and its pages keep room for the new
-- version (fillfactor): 92-100 % of these updates then touch no index.
create table runs (
  workspace_id  text collate "C" not null,
  id            text collate "C" not null,
  session_id    text collate "C" not null,
  seq           bigint generated always as identity, -- taken under the session lock: FIFO order
  status        text not null default 'queued',
  head          boolean not null,                    -- nothing open before it in its session
  attempt       integer not null default 0,          -- the fence: a write names the attempt it is of
  worker_id     text collate "C",
  last_seq      integer not null,                    -- number of the last event
  steps         integer not null default 0,          -- committed model steps
  source        text not null check (source in ('api', 'console')),
  api_key_id    text collate "C",                    -- on whose behalf the agent acts
  model         text not null,
  instructions  text,
  max_steps     integer not null check (max_steps > 0),
  timeout_s     integer not null check (timeout_s > 0),
  input         json,  -- null: too long for lists, and kept by its messages alone
  output        json not null default '[]',
  error         json,
  input_tokens  bigint not null default 0,
  output_tokens bigint not null default 0,
  metadata      json not null default '{}',
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  started_at    timestamptz,
  finished_at   timestamptz,
  max_total_tokens         bigint,  -- null: as many as it takes
  max_total_tokens_per_day bigint,  -- of its workspace
  -- How often a worker that was told to stop handed the run back. Such attempts are not lost.
  handed_back   integer not null default 0,
  -- Workers that the run was lost with one after the other, without a committed step between.
  losses        integer not null default 0,
  condemned     boolean not null default false,  -- the run itself brought them down
  -- These workers; one that turns out to live takes its name away.
  lost_with     text[] collate "C" not null default '{}',
  offered_at    timestamptz not null default '-infinity',  -- it is not claimed before
  -- The beginning of an input that is too long for lists; null: all of it is in `input`.
  listed_input  json,
  primary key (workspace_id, id),
  foreign key (workspace_id, session_id) references sessions (workspace_id, id),
  constraint runs_status check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  constraint runs_queued check
    (status <> 'queued' or (attempt = 0 and worker_id is null and started_at is null)),
  constraint runs_running check
    (status <> 'running' or (attempt > 0 and worker_id is not null and started_at is not null)),
  constraint runs_finished check
    ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint runs_error check ((status = 'failed') = (error is not null)),
  constraint runs_max_total_tokens check (max_total_tokens > 0),
  constraint runs_max_total_tokens_per_day check (max_total_tokens_per_day > 0)
) with (fillfactor = 70, toast_tuple_target = 256);
create unique index runs_one_running on runs (workspace_id, session_id) where status = 'running';
create index runs_open on runs (workspace_id, session_id, seq) where status in ('queued', 'running');
create index runs_by_session on runs (workspace_id, session_id, id) where session_id is not null;
create index runs_by_status on runs (workspace_id, status, id) where status is not null;
-- The same for runs whose worker was lost, which are claimed one at a time. Mostly it is empty.
create index runs_suspected on runs (seq)
  where status = 'running' and worker_id = '' and losses > 0;
-- What a worker may claim: the first queued run of each session, and runs that were handed back. A
-- claim steps from one workspace to the next, and within one from one api key to the next. A run
-- without a key, of which none is made, counts as one of the key ''.
create index runs_waiting_by_key on runs (workspace_id, coalesce(api_key_id, ''), seq)
  where (status = 'queued' and head) or (status = 'running' and worker_id = '' and losses = 0);
-- How many runs of a key, and of a workspace, are queued is bounded, and counted before one is added.
create index runs_queued on runs (workspace_id, api_key_id) where status = 'queued';
-- What lists of runs are filtered by. Of 100,000 runs of a workspace the ten of a model that is
-- rarely used took 300 ms without an index, and take less than 1 ms with it. Those of errors and of
-- other sources hold few runs, and the others do not pay for them.
create index runs_by_model on runs (workspace_id, model, id) where model is not null;
create index runs_by_error on runs (workspace_id, (error->>'code'), id) where status = 'failed';
create index runs_by_other_source on runs (workspace_id, source, id) where source <> 'api';

-- Partitioned by run id, which begins with the time: retention drops whole partitions.
create table run_events (
  workspace_id text collate "C" not null,
  run_id       text collate "C" not null,
  seq          integer not null,
  type         text not null,
  created_at   timestamptz not null default clock_timestamp(),
  data         json not null,   -- json, not jsonb: it keeps the bytes that were streamed
  data_bytes   integer,         -- as readers get it; null: it is small, and measured when read
  primary key (workspace_id, run_id, seq)
) partition by range (run_id);
create table run_events_default partition of run_events default;
create index run_events_tool_calls on run_events (workspace_id, run_id, seq)
  where type in ('tool_call.started', 'tool_call.completed', 'tool_call.failed');

-- The transcript. Ordered by the run's place in the session, then by the place in the run.
create table messages (
  workspace_id text collate "C" not null,
  session_id   text collate "C" not null,
  run_seq      bigint not null,
  position     integer not null,
  id           text collate "C" not null,
  run_id       text collate "C" not null,
  role         text not null check (role in ('user', 'assistant', 'tool')),
  content      json not null,
  provider     json,            -- what the model's provider needs back: never shown
  created_at   timestamptz not null default clock_timestamp(),
  primary key (workspace_id, session_id, run_seq, position)
);

create table action_invocations (
  workspace_id  text collate "C" not null,
  id            text collate "C" not null,
  action        text not null,
  connection_id text collate "C",  -- null: the attempt failed before one was chosen
  status        text not null check (status in ('completed', 'failed')),
  source        text not null check (source in ('api', 'run', 'mcp')),
  api_key_id    text collate "C",
  run_id        text collate "C",
  tool_call_id  text collate "C",
  input         json not null,
  result        json,
  error         json,
  truncated     boolean not null default false,
  duration_ms   integer not null,
  created_at    timestamptz not null default now(),
  -- Where the result of a call goes on. Callers get the id of the call as cursor; this is for the
  -- action alone.
  next_cursor   text,  -- null: the result is whole, or the call failed
  primary key (workspace_id, id),
  constraint action_invocations_error check ((status = 'failed') = (error is not null)),
  constraint action_invocations_run check ((source = 'run') = (run_id is not null)),
  constraint action_invocations_page check
    (next_cursor is null or (status = 'completed' and connection_id is not null))
);
create index action_invocations_by_action on action_invocations (workspace_id, action, id)
  where action is not null;
create index action_invocations_by_run on action_invocations (workspace_id, run_id, id)
  where run_id is not null;

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

-- A worker is alive while it holds the advisory lock of its id and renews its lease.
create table workers (
  id           text collate "C" primary key,
  host         text not null,
  started_at   timestamptz not null default now(),
  lease_until  timestamptz not null,
  -- When a worker took its lock: a free lock tells something of a worker only if the worker took it
  -- after the database had started (see claim_runs).
  locked_at    timestamptz,
  -- When somebody first saw its lock free since `locked_at`, or its lease over since that ended.
  missed_at    timestamptz,
  -- Since when the worker has always renewed its lease in time.
  steady_since timestamptz not null default now(),
  -- Sessions of this database that an operator had terminated when it renewed its lease last.
  sessions_killed bigint
);

create table idempotency_keys (
  workspace_id   text collate "C" not null,
  asker          text collate "C" not null,  -- whose key it is: an api key, or an operator
  key            text collate "C" not null,
  request_sha256 bytea not null,
  resource_id    text collate "C",  -- what the request made (for createRun: the run)
  status         integer,           -- the stored response; null while the request is in flight
  body           json,
  locked_until   timestamptz,       -- in flight: not before this may another request take over
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null,
  primary key (workspace_id, asker, key)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
