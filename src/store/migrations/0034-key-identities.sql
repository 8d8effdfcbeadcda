-- For whom an api key stands, as the identity provider knows them; of keys that stand for anybody.
alter table api_keys add column identities text[] not null default '{}';
create index api_keys_by_identity on api_keys using gin (identities)
  where identities <> '{}' and revoked_at is null;
