-- revision 1
-- How many more runs each of these workspaces may have executed at once, in all workers together:
-- max_running_runs of its limits, or else p_limit, without those that are. No limit: many.
create or replace function free_places(p_workspace_ids text[], p_limit integer)
returns table (name text, free integer)
language sql stable as $$
  select w.id, coalesce(m.most - (
    select count(*)::int from (
      select from runs r
      where r.workspace_id = w.id and r.status = 'running' and r.worker_id <> ''
      limit m.most) e), 1000000)
  from workspaces w
  cross join lateral (select coalesce((w.limits->>'max_running_runs')::int, p_limit)) as m (most)
  where w.id = any (p_workspace_ids)
$$;
