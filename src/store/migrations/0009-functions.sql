-- Which functions of src/store/functions/ the database has, and in which revision.
create table schema_functions (
  name       text primary key,
  revision   integer not null check (revision > 0),
  sha256     text not null,
  applied_at timestamptz not null default now()
);
