-- revision 1
-- Claims up to p_limit runs for a worker: first the runs whose worker is gone (its lease is over,
-- or its advisory lock is free), then the queued heads, oldest first. Each gets its run.started
-- event. Workers do not wait for each other (skip locked). Answers what the turn needs.
--
-- A free lock tells something only of a worker that took it after the database had started: when
-- the database restarts, all locks are free, and living workers take theirs again a moment later.
--
-- The runs are chosen first and then updated by their keys, so that the cost does not grow with the
-- table. In one statement the planner took a limit that is an expression for a tenth of the queue,
-- and read all of `runs` to update a few rows: 50 to 100 ms for 16 of 100,000 queued runs, where it
-- is 1 ms by key.
create or replace function claim_runs(p_worker_id text, p_limit integer)
returns table (
  workspace_id text, id text, session_id text, seq bigint, attempt integer, last_seq integer,
  steps integer, api_key_id text, model text, instructions text, max_steps integer,
  timeout_ms double precision, input_tokens bigint, output_tokens bigint, max_total_tokens bigint,
  max_total_tokens_per_day bigint)
language plpgsql as $$
declare
  gone text[];
  orphaned_workspaces text[];
  orphaned text[];
  waiting_workspaces text[];
  waiting text[];
begin
  select coalesce(array_agg(w.id), '{}') into gone from workers w
  where w.id <> p_worker_id
    and (w.lease_until < clock_timestamp()
      or (w.locked_at > pg_postmaster_start_time()
        and pg_try_advisory_xact_lock(hashtextextended(w.id, 0))));
  select coalesce(array_agg(o.workspace_id), '{}'), coalesce(array_agg(o.id), '{}')
  into orphaned_workspaces, orphaned from (
    select r.workspace_id, r.id from runs r
    where r.status = 'running' and not exists (
      select 1 from workers w where w.id = r.worker_id and w.id <> all (gone))
    order by r.seq limit p_limit for update skip locked) o;
  select coalesce(array_agg(q.workspace_id), '{}'), coalesce(array_agg(q.id), '{}')
  into waiting_workspaces, waiting from (
    select r.workspace_id, r.id from runs r
    where r.status = 'queued' and r.head
    order by r.seq limit p_limit - cardinality(orphaned) for update skip locked) q;
  return query
    with claimed as (
      update runs r set status = 'running', head = false, attempt = r.attempt + 1,
        worker_id = p_worker_id, last_seq = r.last_seq + 1, updated_at = clock_timestamp(),
        started_at = coalesce(r.started_at, clock_timestamp())
      from unnest(orphaned_workspaces || waiting_workspaces, orphaned || waiting)
        as c (workspace_id, id)
      where r.workspace_id = c.workspace_id and r.id = c.id
      returning r.*
    ), started as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select c.workspace_id, c.id, c.last_seq, 'run.started',
        format('{"attempt":%s,"model":%s}', c.attempt, to_json(c.model))::json
      from claimed c
    )
    select c.workspace_id, c.id, c.session_id, c.seq, c.attempt, c.last_seq, c.steps, c.api_key_id,
      c.model, c.instructions, c.max_steps,
      c.timeout_s * 1000 - extract(epoch from clock_timestamp() - c.started_at)::double precision
        * 1000,
      c.input_tokens, c.output_tokens, c.max_total_tokens, c.max_total_tokens_per_day
    from claimed c order by c.seq;
end $$;
