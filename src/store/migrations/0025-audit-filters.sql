-- concurrently
-- What the audit log is looked through by. The actor is in the text of an entry, which always begins
-- with `{"workspace_id":…,"actor":{"type":"…","id":"…"}`. A cast to JSON would fail on a text that is
-- none, and the index with it: the verification is to tell of such an entry. A regular expression took
-- 60 µs of each entry that is appended.
create index concurrently if not exists audit_entries_by_actor on audit_entries (
  split_part(split_part(entry, '"actor":{"type":"', 2), '"', 5), seq);
create index concurrently if not exists audit_entries_by_time on audit_entries (created_at, seq);
