-- What a service with the master key vouches for: the audit log held this hash at this entry. Who
-- owns the database and has no master key can remove an anchor, but cannot make one.
create table audit_anchors (
  seq        bigint primary key,  -- of the entry in audit_entries
  previous   bigint,              -- the anchor before it; null: it is the first
  sealed     text not null,       -- the hash of the entry, and what is before it
  created_at timestamptz not null default now(),
  -- Of two nodes that go on from the same anchor one comes first.
  constraint audit_anchors_in_a_row unique nulls not distinct (previous)
);
