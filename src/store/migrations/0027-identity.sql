-- What an action is known by when its source calls it otherwise, and what has left its source.

alter table integration_actions
  add column operation_id  text,        -- of an operation of a document, if it has one
  add column hidden        boolean not null default false, -- the operator does not offer it
  -- The source has it no longer, and no operator has accepted that.
  add column missing_since timestamptz,
  -- What it was called before it was renamed: nothing else is called that.
  add column former_names  text[] not null default '{}';

-- What was hidden counted as removed only.
update integration_actions as a set hidden = true from integrations as i
where i.slug = a.integration and a.removed_at is not null
  and i.overrides -> a.source_key ->> 'hidden' = 'true';
