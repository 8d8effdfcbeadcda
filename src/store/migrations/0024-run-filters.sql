-- concurrently
-- What lists of runs are filtered by. Of 100,000 runs of a workspace the ten of a model that is rarely
-- used took 300 ms without an index, and take less than 1 ms with it. Those of errors and of other
-- sources hold few runs, and the others do not pay for them.
create index concurrently if not exists runs_by_model on runs (workspace_id, model, id);
create index concurrently if not exists runs_by_error on runs (workspace_id, (error->>'code'), id)
  where status = 'failed';
create index concurrently if not exists runs_by_other_source on runs (workspace_id, source, id)
  where source <> 'api';
