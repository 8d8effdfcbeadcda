-- What each running node tells of itself, whatever its role, for what an operator does beside it.
create table nodes (
  id          uuid primary key,
  host        text not null,
  pid         integer not null,
  master_keys json not null,  -- by their names: fingerprints, which tell keys apart and give none away
  settings    json not null,  -- no secrets
  lease_until timestamptz not null
);
