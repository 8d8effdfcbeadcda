-- From where on runs wait and are executed: one row (advance_queue_front). While any transaction looks
-- back, PostgreSQL keeps what ended runs leave behind in the indexes of the queue, and who reads one
-- from its beginning goes through all of that.
create table queue_front (
  -- No run that may be claimed was offered before (runs.offered_at),
  offered_at    timestamptz not null default '-infinity',
  -- no queued one has a lower number (runs.seq) than this,
  queued_seq    bigint not null default 0,
  -- and no queued or running one a lower than this.
  open_seq      bigint not null default 0,
  last_seq      bigint not null default 0,  -- the last number that was given when this was looked for
  looked_at     timestamptz not null default '-infinity',
  looked_all_at timestamptz not null default '-infinity',
  is_only       boolean primary key default true check (is_only)
);
insert into queue_front default values;
