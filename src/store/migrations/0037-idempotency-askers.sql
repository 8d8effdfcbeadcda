-- An idempotency key belongs to whoever asked: an api key, or an operator. The first of a workspace
-- that uses a key has the row at the workspace; any other has one of its own, whose workspace_id
-- ends in its asker. So the primary key stays, by which nodes of the version before take keys.
alter table idempotency_keys
  add column asker text collate "C"; -- null: a node of the version before has not said who
