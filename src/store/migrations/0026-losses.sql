-- A worker that lives is not taken for lost, and a run that was lost waits before it is offered again.

alter table workers
  -- Sessions of this database that an operator had terminated when the worker renewed its lease last.
  add column sessions_killed bigint;
alter table runs
  -- The workers that the run was lost with since it committed something; one that turns out to live
  -- takes its name away.
  add column lost_with  text[] collate "C" not null default '{}',
  -- A run that was lost is not claimed before.
  add column offered_at timestamptz not null default '-infinity';
