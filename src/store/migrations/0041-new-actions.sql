-- What becomes of an action that the source of an integration adds: it waits for an operator, or is
-- offered at once.
alter table integrations add column new_actions text not null default 'wait'
  check (new_actions in ('wait', 'offer'));
