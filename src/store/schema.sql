-- The schema that the migrations and functions beside this file make, in one piece.
-- Made by `make schema`, and never applied: change a migration or a function, and make it anew.
-- Partitions of weeks are left out, which nodes make while they run.

create table action_invocations (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  action text not null,
  connection_id text collate "C",
  status text not null,
  source text not null,
  api_key_id text collate "C",
  run_id text collate "C",
  tool_call_id text collate "C",
  input json not null,
  result json,
  error json,
  truncated boolean not null default false,
  duration_ms integer not null,
  created_at timestamp with time zone not null default now(),
  next_cursor text,
  constraint action_invocations_pkey primary key (workspace_id, id),
  constraint action_invocations_error check ((status = 'failed'::text) = (error is not null)),
  constraint action_invocations_page check (next_cursor is null or status = 'completed'::text and
    connection_id is not null),
  constraint action_invocations_run check ((source = 'run'::text) = (run_id is not null)),
  constraint action_invocations_source_check check (source = any (array['api'::text, 'run'::text,
    'mcp'::text])),
  constraint action_invocations_status_check check (status = any (array['completed'::text,
    'failed'::text]))
);
create index action_invocations_by_action on action_invocations using btree (workspace_id, action,
    id) where action is not null;
create index action_invocations_by_run on action_invocations using btree (workspace_id, run_id, id)
    where run_id is not null;
create index action_invocations_direct on action_invocations using btree (workspace_id, source, id)
    where source <> 'run'::text;
create index action_invocations_failed on action_invocations using btree (workspace_id, id) where
    status = 'failed'::text;

create table admin_tokens (
  sha256 bytea not null,
  id text collate "C" not null,
  name text not null,
  hint text,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint admin_tokens_pkey primary key (sha256)
);
create unique index admin_tokens_by_id on admin_tokens using btree (id);

create table api_keys (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  hint text not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  ended_at timestamp with time zone,
  dashboard boolean not null default false,
  identities text[] not null default '{}'::text[],
  constraint api_keys_pkey primary key (workspace_id, id),
  constraint api_keys_workspace_id_fkey foreign key (workspace_id) references workspaces(id)
);
create index api_keys_by_identity on api_keys using gin (identities) where identities <>
    '{}'::text[] and revoked_at is null;
create unique index api_keys_by_sha256 on api_keys using btree (sha256);
create unique index api_keys_of_dashboard on api_keys using btree (workspace_id) where dashboard and
    revoked_at is null;
create index api_keys_to_end on api_keys using btree (workspace_id, id) where revoked_at is not null
    and ended_at is null;

create table approvals (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  api_key_id text collate "C",
  run_id text collate "C",
  action text not null,
  effect text not null,
  connection_id text collate "C" not null,
  input json not null,
  input_sha256 bytea not null,
  status text not null default 'pending'::text,
  reason text,
  invocation_id text collate "C",
  created_at timestamp with time zone not null default now(),
  decided_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  used_by_run_id text collate "C",
  used_by_tool_call_id text collate "C",
  scope text not null default 'api_key'::text,
  input_bytes integer not null,
  constraint approvals_pkey primary key (workspace_id, id),
  constraint approvals_workspace_id_fkey foreign key (workspace_id) references workspaces(id),
  constraint approvals_decided check ((status = 'pending'::text) = (decided_at is null)),
  constraint approvals_effect_check check (effect = any (array['read'::text, 'write'::text,
    'destructive'::text])),
  constraint approvals_scope_check check (scope = any (array['api_key'::text, 'workspace'::text])),
  constraint approvals_status_check check (status = any (array['pending'::text, 'approved'::text,
    'denied'::text, 'used'::text])),
  constraint approvals_used check ((status = 'used'::text) = (invocation_id is not null)),
  constraint approvals_used_by check (status = 'used'::text or used_by_run_id is null)
);
create index approvals_by_call on approvals using btree (workspace_id, action, connection_id,
    input_sha256) where status = any (array['pending'::text, 'approved'::text, 'denied'::text]);
create index approvals_by_expiry on approvals using btree (expires_at) where status <> 'used'::text;
create index approvals_by_id on approvals using btree (id);
create index approvals_by_run on approvals using btree (workspace_id, run_id) where run_id is not
    null;
create index approvals_by_use on approvals using btree (workspace_id, used_by_run_id,
    used_by_tool_call_id) where used_by_run_id is not null;
create index approvals_pending on approvals using btree (workspace_id, expires_at) where status =
    'pending'::text;
create index approvals_pending_of_key on approvals using btree (workspace_id, api_key_id,
    expires_at) where status = 'pending'::text;

create table audit_anchors (
  seq bigint not null,
  previous bigint,
  sealed text not null,
  created_at timestamp with time zone not null default now(),
  constraint audit_anchors_pkey primary key (seq),
  constraint audit_anchors_in_a_row unique nulls not distinct (previous)
);

create table audit_entries (
  seq bigint not null,
  workspace_id text collate "C",
  event text not null,
  target text,
  entry text not null,
  hash text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint audit_entries_pkey primary key (seq)
);
create index audit_entries_by_actor on audit_entries using btree (split_part(split_part(entry,
    '"actor":{"type":"'::text, 2), '"'::text, 5), seq);
create index audit_entries_by_event on audit_entries using btree (event, seq);
create index audit_entries_by_target on audit_entries using btree (target, seq) where target is not
    null;
create index audit_entries_by_time on audit_entries using btree (created_at, seq);
create index audit_entries_by_workspace on audit_entries using btree (workspace_id, seq);

create table connection_secrets (
  workspace_id text collate "C" not null,
  connection_id text collate "C" not null,
  type text not null,
  sealed text not null,
  version uuid not null default gen_random_uuid(),
  granted_scopes text[],
  expires_at timestamp with time zone,
  refresh_at timestamp with time zone,
  refreshing_by text collate "C",
  refreshing_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint connection_secrets_pkey primary key (workspace_id, connection_id),
  constraint connection_secrets_workspace_id_connection_id_fkey foreign key (workspace_id,
    connection_id) references connections(workspace_id, id) on delete cascade,
  constraint connection_secrets_expiry check ((expires_at is null) = (refresh_at is null)),
  constraint connection_secrets_lease check ((refreshing_by is null) = (refreshing_until is null)),
  constraint connection_secrets_type_check check (type = any (array['bearer'::text, 'api_key'::text,
    'basic'::text, 'oauth2'::text]))
);

create table connections (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  integration text not null,
  name text not null,
  account_label text,
  status text not null,
  status_reason text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  auth_type text not null default 'none'::text,
  account_label_found text,
  authorized_at timestamp with time zone,
  constraint connections_pkey primary key (workspace_id, id),
  constraint connections_workspace_id_fkey foreign key (workspace_id) references workspaces(id),
  constraint connections_auth_type_check check (auth_type = any (array['none'::text, 'bearer'::text,
    'api_key'::text, 'basic'::text, 'oauth2'::text])),
  constraint connections_status_check check (status = any (array['pending'::text, 'connected'::text,
    'needs_reconnect'::text, 'disabled'::text]))
);
create index connections_by_integration on connections using btree (workspace_id, integration, id)
    where integration is not null;

create table dashboard_sessions (
  id text collate "C" not null,
  sha256 bytea not null,
  method text not null,
  role text not null,
  name text not null,
  person text,
  admin_token_id text collate "C",
  configured bytea,
  parent_id text collate "C",
  user_agent text,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint dashboard_sessions_pkey primary key (id),
  constraint dashboard_sessions_method_check check (method = any (array['ticket'::text,
    'admin_token'::text, 'oidc'::text])),
  constraint dashboard_sessions_origin check ((admin_token_id is null) <> (configured is null) and
    (person is null or configured is not null)),
  constraint dashboard_sessions_role_check check (role = any (array['viewer'::text,
    'operator'::text, 'admin'::text]))
);
create index dashboard_sessions_by_parent on dashboard_sessions using btree (parent_id) where
    parent_id is not null;
create unique index dashboard_sessions_by_sha256 on dashboard_sessions using btree (sha256);

create table dashboard_tickets (
  sha256 bytea not null,
  role text not null,
  name text not null,
  person text,
  admin_token_id text collate "C",
  configured bytea,
  parent_id text collate "C",
  ends_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint dashboard_tickets_pkey primary key (sha256),
  constraint dashboard_tickets_origin check ((admin_token_id is null) <> (configured is null) and
    (person is null or configured is not null)),
  constraint dashboard_tickets_role_check check (role = any (array['viewer'::text, 'operator'::text,
    'admin'::text]))
);

create table deleted_run_tokens (
  workspace_id text collate "C" not null,
  day date not null,
  tokens bigint not null,
  constraint deleted_run_tokens_pkey primary key (workspace_id)
);

create table embedding_work (
  model text collate "C" not null,
  node_id text not null,
  lease_until timestamp with time zone not null,
  texts integer not null,
  computed integer not null,
  failures integer not null default 0,
  failure text,
  retry_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint embedding_work_pkey primary key (model)
);

create table embeddings (
  model text collate "C" not null,
  text_sha256 bytea not null,
  vector bytea not null storage external,
  seen_on date not null default current_date,
  constraint embeddings_pkey primary key (model, text_sha256)
);
create index embeddings_seen_on on embeddings using btree (seen_on);

create table grants (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  api_key_id text collate "C",
  actions text not null,
  decision text not null,
  connection_id text collate "C",
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  approval_scope text not null default 'api_key'::text,
  constraint grants_pkey primary key (workspace_id, id),
  constraint grants_workspace_id_fkey foreign key (workspace_id) references workspaces(id),
  constraint grants_approval_scope check (approval_scope = 'api_key'::text or decision =
    'require_approval'::text),
  constraint grants_approval_scope_check check (approval_scope = any (array['api_key'::text,
    'workspace'::text])),
  constraint grants_decision_check check (decision = any (array['allow'::text,
    'require_approval'::text, 'deny'::text]))
);

create table idempotency_keys (
  workspace_id text collate "C" not null,
  asker text collate "C" not null,
  key text collate "C" not null,
  request_sha256 bytea not null,
  resource_id text collate "C",
  status integer,
  body json,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey primary key (workspace_id, asker, key)
);
create index idempotency_keys_by_expiry on idempotency_keys using btree (expires_at);

create table integration_actions (
  integration text collate "C" not null,
  source_key text not null,
  name text collate "C" not null,
  effect text not null,
  schema_hash text not null,
  definition json,
  quarantined_at timestamp with time zone,
  removed_at timestamp with time zone,
  proposed json,
  operation_id text,
  hidden boolean not null default false,
  missing_since timestamp with time zone,
  former_names text[] not null default '{}'::text[],
  former_keys text[] not null default '{}'::text[],
  constraint integration_actions_pkey primary key (integration, source_key),
  constraint integration_actions_name_key unique (name),
  constraint integration_actions_integration_fkey foreign key (integration) references
    integrations(slug) on delete cascade,
  constraint integration_actions_effect_check check (effect = any (array['read'::text,
    'write'::text, 'destructive'::text]))
);

create table integrations (
  slug text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  title text not null,
  base_url text,
  document text,
  document_url text,
  document_sha256 text,
  mcp json,
  mcp_env text,
  auth_methods json not null default '[]'::json,
  egress_allow json not null default '[]'::json,
  overrides json not null default '{}'::json,
  workspace_ids json,
  revision integer not null default 1,
  report json not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  accepted_document text,
  insecure_http boolean not null default false,
  own_redirect boolean not null default true,
  other_origins json not null default '[]'::json,
  new_actions text not null default 'wait'::text,
  constraint integrations_pkey primary key (slug),
  constraint integrations_id_key unique (id),
  constraint integrations_kind_check check (kind = any (array['openapi'::text, 'mcp'::text])),
  constraint integrations_new_actions_check check (new_actions = any (array['wait'::text,
    'offer'::text])),
  constraint integrations_source check ((kind = 'openapi'::text) = (document is not null) and (kind
    = 'mcp'::text) = (mcp is not null))
);

create table integrations_version (
  version bigint not null
);
alter table integrations_version replica identity full;

create table messages (
  workspace_id text collate "C" not null,
  session_id text collate "C" not null,
  run_seq bigint not null,
  "position" integer not null,
  id text collate "C" not null,
  run_id text collate "C" not null,
  role text not null,
  content json not null,
  provider json,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint messages_pkey primary key (workspace_id, session_id, run_seq, "position"),
  constraint messages_role_check check (role = any (array['user'::text, 'assistant'::text,
    'tool'::text]))
);

create table metadata_pairs (
  workspace_id text collate "C" not null,
  key text collate "C" not null,
  value text collate "C" not null,
  id text collate "C" not null,
  constraint metadata_pairs_pkey primary key (workspace_id, key, value, id)
);

create table nodes (
  id uuid not null,
  host text not null,
  pid integer not null,
  master_keys json not null,
  settings json not null,
  lease_until timestamp with time zone not null,
  worker_id text collate "C",
  seals_with text,
  clock_offset_ms double precision,
  constraint nodes_pkey primary key (id)
);

create table oauth_clients (
  integration text collate "C" not null,
  issuer text not null,
  redirect_uri text not null,
  client_id text not null,
  sealed text not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint oauth_clients_pkey primary key (integration, issuer),
  constraint oauth_clients_integration_fkey foreign key (integration) references integrations(slug)
    on delete cascade
);

create table oauth_flows (
  workspace_id text collate "C" not null,
  connection_id text collate "C" not null,
  state_sha256 bytea not null,
  session_sha256 bytea,
  sealed text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  ticket_sha256 bytea not null,
  constraint oauth_flows_pkey primary key (workspace_id, state_sha256),
  constraint oauth_flows_workspace_id_connection_id_fkey foreign key (workspace_id, connection_id)
    references connections(workspace_id, id) on delete cascade
);
create index oauth_flows_by_expiry on oauth_flows using btree (expires_at);
create unique index oauth_flows_by_state on oauth_flows using btree (state_sha256);
create unique index oauth_flows_by_ticket on oauth_flows using btree (ticket_sha256);

create table operation_definitions (
  integration_id text collate "C" not null,
  revision integer not null,
  format integer not null,
  name text collate "C" not null,
  source_key text not null,
  title text not null,
  description text not null,
  effect text not null,
  paged boolean not null,
  definition bytea not null storage external,
  verbs text not null default ''::text,
  constraint operation_definitions_pkey primary key (integration_id, revision, format, name),
  constraint operation_definitions_integration_id_fkey foreign key (integration_id) references
    integrations(id) on delete cascade,
  constraint operation_definitions_effect_check check (effect = any (array['read'::text,
    'write'::text, 'destructive'::text]))
);

create table queue_front (
  offered_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  queued_seq bigint not null default 0,
  open_seq bigint not null default 0,
  last_seq bigint not null default 0,
  looked_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  looked_all_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  is_only boolean not null default true,
  constraint queue_front_pkey primary key (is_only),
  constraint queue_front_is_only_check check (is_only)
);

create table run_events (
  workspace_id text collate "C" not null,
  run_id text collate "C" not null,
  seq integer not null,
  type text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  data json not null,
  data_bytes integer,
  constraint run_events_pkey primary key (workspace_id, run_id, seq)
) partition by range (run_id);
create index run_events_tool_calls on only run_events using btree (workspace_id, run_id, seq) where
    type = any (array['tool_call.started'::text, 'tool_call.completed'::text,
    'tool_call.failed'::text]);

create table run_events_default partition of run_events default;

create table runs (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  session_id text collate "C" not null,
  seq bigint not null generated always as identity,
  status text not null default 'queued'::text,
  head boolean not null,
  attempt integer not null default 0,
  worker_id text collate "C",
  last_seq integer not null,
  steps integer not null default 0,
  source text not null,
  api_key_id text collate "C",
  model text not null,
  instructions text,
  max_steps integer not null,
  timeout_s integer not null,
  input json,
  output json not null default '[]'::json,
  error json,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  metadata json not null default '{}'::json,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  max_total_tokens bigint,
  max_total_tokens_per_day bigint,
  handed_back integer not null default 0,
  losses integer not null default 0,
  condemned boolean not null default false,
  lost_with text[] collate "C" not null default '{}'::text[],
  offered_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  listed_input json,
  uncommitted_tokens bigint not null default 0,
  constraint runs_pkey primary key (workspace_id, id),
  constraint runs_workspace_id_session_id_fkey foreign key (workspace_id, session_id) references
    sessions(workspace_id, id),
  constraint runs_error check ((status = 'failed'::text) = (error is not null)),
  constraint runs_finished check ((status = any (array['completed'::text, 'failed'::text,
    'cancelled'::text])) = (finished_at is not null)),
  constraint runs_max_steps_check check (max_steps > 0),
  constraint runs_max_total_tokens check (max_total_tokens > 0),
  constraint runs_max_total_tokens_per_day check (max_total_tokens_per_day > 0),
  constraint runs_queued check (status <> 'queued'::text or attempt = 0 and worker_id is null and
    started_at is null),
  constraint runs_running check (status <> 'running'::text or attempt > 0 and worker_id is not null
    and started_at is not null),
  constraint runs_source_check check (source = any (array['api'::text, 'console'::text])),
  constraint runs_status check (status = any (array['queued'::text, 'running'::text,
    'completed'::text, 'failed'::text, 'cancelled'::text])),
  constraint runs_timeout_s_check check (timeout_s > 0)
) with (fillfactor=70, toast_tuple_target=256);
create index runs_by_error on runs using btree (workspace_id, (error ->> 'code'::text), id) where
    status = 'failed'::text;
create index runs_by_model on runs using btree (workspace_id, model, id) where model is not null;
create index runs_by_other_source on runs using btree (workspace_id, source, id) where source <>
    'api'::text;
create index runs_by_session on runs using btree (workspace_id, session_id, id) where session_id is
    not null;
create index runs_by_status on runs using btree (workspace_id, status, id) where status is not null;
create index runs_offered_by_key on runs using btree (workspace_id, coalesce(api_key_id, ''::text),
    seq, offered_at) where status = 'queued'::text and head or status = 'running'::text and
    worker_id = ''::text and losses = 0;
create unique index runs_one_running on runs using btree (workspace_id, session_id) where status =
    'running'::text;
create index runs_open on runs using btree (workspace_id, session_id, seq) where status = any
    (array['queued'::text, 'running'::text]);
create index runs_queued_by_key on runs using btree (workspace_id, api_key_id, seq) where status =
    'queued'::text;
create index runs_running_by_seq on runs using btree (workspace_id, seq) where status =
    'running'::text;
create index runs_suspected on runs using btree (seq) where status = 'running'::text and worker_id =
    ''::text and losses > 0;

create table schema_functions (
  name text not null,
  revision integer not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_functions_pkey primary key (name),
  constraint schema_functions_revision_check check (revision > 0)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey primary key (version)
);

create table sessions (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  status text not null default 'active'::text,
  title text,
  metadata json not null default '{}'::json,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint sessions_pkey primary key (workspace_id, id),
  constraint sessions_workspace_id_fkey foreign key (workspace_id) references workspaces(id),
  constraint sessions_status_check check (status = any (array['active'::text, 'archived'::text]))
);
create index sessions_by_status on sessions using btree (workspace_id, status, id) where status is
    not null;

create table storage (
  workspace_id text collate "C" not null,
  bytes bigint not null default 0,
  added bigint not null default 0,
  counted_at timestamp with time zone,
  constraint storage_pkey primary key (workspace_id)
);

create table storage_additions (
  workspace_id text collate "C" not null,
  bytes bigint not null
);
alter table storage_additions replica identity full;

create table workers (
  id text collate "C" not null,
  host text not null,
  started_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone not null,
  locked_at timestamp with time zone,
  missed_at timestamp with time zone,
  steady_since timestamp with time zone not null default now(),
  sessions_killed bigint,
  constraint workers_pkey primary key (id)
);

create table workspace_keys (
  workspace_id text collate "C" not null,
  number integer not null,
  master_key_id text not null,
  wrapped text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint workspace_keys_pkey primary key (workspace_id, number),
  constraint workspace_keys_number_check check (number > 0)
);

create table workspaces (
  id text collate "C" not null,
  name text not null,
  model text,
  instructions text,
  limits json not null default '{}'::json,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  allowed_models json,
  archived_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint workspaces_pkey primary key (id)
);
create index workspaces_to_end on workspaces using btree (id) where archived_at is not null and
    ended_at is null;

create table write_intents (
  workspace_id text collate "C" not null,
  run_id text collate "C" not null,
  tool_call_id text collate "C" not null,
  invocation_id text collate "C" not null,
  action text not null,
  connection_id text collate "C" not null,
  api_key_id text collate "C" not null,
  input json not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  person text,
  request_id text,
  constraint write_intents_pkey primary key (workspace_id, run_id, tool_call_id)
);
create index write_intents_by_age on write_intents using btree (created_at);

-- The functions, each in a file of its own.
-- advance_queue_front() returns void
-- append_audit(p_entries text[]) returns void
-- append_calls_to_audit(p_entries text[], p_late text[], p_workspace_ids text[], p_api_key_ids
--   text[]) returns boolean[]
-- append_group(r_workspace_id text[], r_id text[], r_attempt integer[], r_events integer[], r_steps
--   integer[], r_input_tokens integer[], r_output_tokens integer[], r_status text[], r_output
--   text[], r_error text[], e_run integer[], e_place integer[], e_type text[], e_data text[], m_run
--   integer[], m_position integer[], m_id text[], m_role text[], m_content text[], m_provider
--   text[], out last_seqs integer[], out waits boolean) returns record
-- append_outcomes_to_audit(p_workspace_ids text[], p_ids text[], p_api_key_ids text[], p_entries
--   text[], p_late text[], p_is_known boolean[], p_inserted text[]) returns void
-- bury_workers(p_worker_id text, p_lease_ms integer, p_grace_ms integer, p_most_losses integer
--   default 1000000, out buried integer, out missed integer) returns record
-- cancel_open_run(p_workspace_id text, p_run_id text, p_reason text) returns integer
-- cancel_open_runs(p_workspace_id text, p_api_key_id text, p_after_session_id text, p_after_seq
--   bigint, p_limit integer, p_reason text) returns table(cancelled text[], session_id text, seq
--   bigint)
-- cancel_run(p_workspace_id text, p_run_id text, p_reason text) returns setof boolean
-- claim_next(p_worker_id text, p_limit integer, p_pivot text default ''::text, p_held text[]
--   default '{}'::text[], p_reserve integer default 0, p_running_limit integer default
--   null::integer, p_suspicion integer default 1000000, p_key_running_limit integer default
--   null::integer, p_waits boolean default true) returns setof runs
-- create_runs(p_workspace_id text[], p_session_id text[], p_run_id text[], p_concurrency text[],
--   p_source text[], p_api_key_id text[], p_model text[], p_instructions text[], p_max_steps
--   integer[], p_timeout_s integer[], p_input text[], p_metadata text[], p_messages text[],
--   p_max_total_tokens bigint[], p_max_total_tokens_per_day bigint[], p_max_queued integer[],
--   p_max_queued_of_key integer[], p_workspace_version text[], p_max_storage_bytes bigint[] default
--   null::bigint[]) returns table(created_id text, outcome text, cancelled text[])
-- front_of_queue() returns queue_front
-- is_claimable(r runs) returns boolean
-- opening_of(p_workspace_id text, p_session_id text, p_run_seq bigint) returns json
-- promote_next_run(p_workspace_id text, p_session_id text) returns void
-- record_unknown_writes(p_workspace_ids text[], p_run_ids text[], p_tool_call_ids text[]) returns
--   table(recorded_id text, recorded_action text)
-- refuse_change() returns trigger
-- refuse_illegal_transition() returns trigger
-- remember_metadata() returns trigger
-- run_waits() returns boolean
-- settle_writes(p_workspace_id text, p_run_id text, p_tool_call_ids text[], p_limit_chars integer)
--   returns table(tool_call_id text, is_news boolean, action text, type text, data text, part text,
--   place integer)
-- shortened_input(p_input json) returns json

create trigger audit_anchors_append_only before delete or update on audit_anchors for each row
    execute function refuse_change();
create trigger audit_anchors_no_truncate before truncate on audit_anchors for each statement execute
    function refuse_change();
create trigger audit_entries_append_only before delete or update on audit_entries for each row
    execute function refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries for each statement execute
    function refuse_change();
create trigger runs_metadata after insert on runs for each row when (new.metadata::text <>
    '{}'::text) execute function remember_metadata();
create trigger runs_transition after update of status on runs for each row when (old.status <>
    new.status and not (old.status = 'queued'::text and (new.status = any (array['running'::text,
    'cancelled'::text])) or old.status = 'running'::text and (new.status = any
    (array['completed'::text, 'failed'::text, 'cancelled'::text])))) execute function
    refuse_illegal_transition();
create trigger sessions_metadata after insert on sessions for each row when (new.metadata::text <>
    '{}'::text) execute function remember_metadata();
create trigger sessions_other_metadata after update of metadata on sessions for each row when
    (old.metadata::text <> new.metadata::text) execute function remember_metadata();
