-- Whether credentials may be sent to public addresses by plain http, and whether browsers that come
-- back from the other service have an address of the integration's own. Those that there are,
-- and those that a node of an earlier version adds, have registered the common one.
alter table integrations
  add column insecure_http boolean not null default false,
  add column own_redirect  boolean not null default false;
