-- The operations of documents as calls need them, made once of the document and what the operator
-- says of it: to make them anew takes a second of a processor for each large document, and all of it
-- at once half a gigabyte of memory. They are of one revision of an integration, in one format of
-- the importer: nodes of another version have theirs beside them.
create table operation_definitions (
  integration_id text collate "C" not null references integrations (id) on delete cascade,
  revision       integer not null,
  format         integer not null,
  name           text collate "C" not null, -- of the action
  source_key     text not null,
  title          text not null,
  description    text not null,
  effect         text not null check (effect in ('read', 'write', 'destructive')),
  paged          boolean not null,
  definition     bytea not null,            -- the rest of it: JSON, deflated
  primary key (integration_id, revision, format, name)
);
alter table operation_definitions alter column definition set storage external;

-- What the other service has called the account. As long as it is the label, nobody has written
-- another one, and it may be replaced.
alter table connections add column account_label_found text;
