-- Calls by MCP clients are recorded as such. They are of no run.
alter table action_invocations
  drop constraint action_invocations_source_check,
  add constraint action_invocations_source_check check (source in ('api', 'run', 'mcp')) not valid;
