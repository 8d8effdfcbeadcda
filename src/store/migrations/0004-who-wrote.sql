-- Of the call of an MCP client: whom the audit log names, should nobody learn what came of it.
alter table write_intents
  add column person     text,  -- null: whoever has the key, or a run
  add column request_id text;
