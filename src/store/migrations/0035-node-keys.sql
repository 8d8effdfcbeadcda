-- A node tells which worker it runs and which master key it seals with; an earlier one leaves both out.
alter table nodes
  add column worker_id   text collate "C",
  add column seals_with  text;  -- the fingerprint of its first master key
