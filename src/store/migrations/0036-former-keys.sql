-- Where the source had an action before it moved: what is there now may be the same again.
alter table integration_actions
  add column former_keys text[] not null default '{}';
