-- Admin tokens are many: each has a name and an id, by which the audit log tells who acted. One that
-- was there before, or that an older node makes, gets an id that sorts before all others.
alter table admin_tokens
  add column id text collate "C" not null
    default 'adm_0000000000' || left(replace(gen_random_uuid()::text, '-', ''), 16),
  add column name text not null default 'first token',
  add column hint text,           -- null: of an older node
  add column last_used_at timestamptz,
  add column expires_at timestamptz;
create unique index admin_tokens_by_id on admin_tokens (id);
