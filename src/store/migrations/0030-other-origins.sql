-- Origins besides that of base_url to which an integration may send its credentials, for operations
-- that have servers of their own.
alter table integrations add column other_origins json not null default '[]';
