-- These have no key. Where a publication has all tables (to replicate to another version of PostgreSQL,
-- say), the server refuses to change what it could not tell the subscriber about.
alter table integrations_version replica identity full;
alter table storage_additions replica identity full;
