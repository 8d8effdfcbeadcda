-- Of what there was before the triggers, and after them: what comes meanwhile they remember. Apart
-- from them, so that nobody waits for their locks.
insert into metadata_pairs (workspace_id, id, key, value)
select s.workspace_id, s.id, m.key, m.value
from sessions s, json_each_text(s.metadata) m where s.metadata::text <> '{}'
on conflict do nothing;
insert into metadata_pairs (workspace_id, id, key, value)
select r.workspace_id, r.id, m.key, m.value
from runs r, json_each_text(r.metadata) m where r.metadata::text <> '{}'
on conflict do nothing;
