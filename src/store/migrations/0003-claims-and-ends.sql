-- When a worker took its lock: a free lock tells something of a worker only if the worker took it
-- after the database had started (see claim_runs).
alter table workers add column locked_at timestamptz;
