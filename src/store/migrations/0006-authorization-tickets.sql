-- An authorization begins with a page of ours, which gives the browser that opens it a cookie: the
-- state then counts for that browser alone.
alter table oauth_flows
  add column ticket_sha256 bytea; -- of what the page's address holds; null: begun by an older node
create unique index oauth_flows_by_ticket on oauth_flows (ticket_sha256);
comment on column oauth_flows.session_sha256 is
  'of the cookie of the browser that has opened the page; null: none has yet';
