-- When somebody last consented to a connection, or gave its credentials. Null for those of before.
alter table connections add column authorized_at timestamptz;
