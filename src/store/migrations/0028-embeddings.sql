-- What the embedding model has made of the texts of actions, and who has it make more.

create table embeddings (
  model       text collate "C" not null,
  text_sha256 bytea not null,
  vector      bytea not null,  -- whole numbers from -127 to 127, a byte each
  -- The last day on which a node had an action with this text.
  seen_on     date not null default current_date,
  primary key (model, text_sha256)
);
-- Vectors cannot be packed any smaller.
alter table embeddings alter column vector set storage external;
create index embeddings_seen_on on embeddings (seen_on);

create table embedding_work (
  model       text collate "C" primary key,
  node_id     text not null,
  lease_until timestamptz not null,
  texts       integer not null,  -- of the actions that the node knows, each once
  computed    integer not null,
  failures    integer not null default 0,  -- since something succeeded
  failure     text,
  retry_at    timestamptz not null default '-infinity',
  updated_at  timestamptz not null default now()
);
