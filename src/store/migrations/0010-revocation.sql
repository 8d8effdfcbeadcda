-- A revoked key, or an archived workspace, ends what runs in its name. That is done in batches after
-- the revocation has committed, by whichever node comes first, and noted here once nothing is left.
alter table api_keys
  add column ended_at timestamptz;    -- null: not revoked, or what runs in its name is being ended
alter table workspaces
  add column archived_at timestamptz, -- null: it is active
  add column ended_at timestamptz;    -- as that of a key
create index api_keys_to_end on api_keys (workspace_id, id)
  where revoked_at is not null and ended_at is null;
create index workspaces_to_end on workspaces (id) where archived_at is not null and ended_at is null;
