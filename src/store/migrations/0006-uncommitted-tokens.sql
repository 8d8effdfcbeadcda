-- What steps of a run have used that were never committed: it is no part of what the run shows as
-- its usage, and counts for the limits of tokens.
alter table runs add column uncommitted_tokens bigint not null default 0;
