-- revision 1
-- The next p_most workspaces in turn that have runs to claim and may have them executed, beginning
-- after p_pivot and going round once; and how many runs of each. Those that have as many executed
-- as they may are passed over: there are no more of them than runs that are being executed.
create or replace function claim_turns(
  p_pivot text, p_most integer, p_limit integer, p_running_limit integer,
  out turns text[], out places integer[])
language plpgsql as $$
declare
  at text := p_pivot;
  next text;
  found_now text[];
  goes_round boolean := false;
  ends boolean := false;
  others_could_take bigint;
begin
  turns := '{}';
  places := '{}';
  while not ends and cardinality(turns) < p_most loop
    found_now := '{}';
    while not ends and cardinality(turns) + cardinality(found_now) < p_most loop
      select r.workspace_id into next from runs r
      where (r.status = 'queued' and r.head
          or r.status = 'running' and r.worker_id = '' and r.losses = 0)
        and r.workspace_id > at
      order by r.workspace_id limit 1;
      if next is null and not goes_round then
        goes_round := true;
        at := '';
      elsif next is null or goes_round and next > p_pivot then
        ends := true;
      else
        found_now := found_now || next;
        at := next;
      end if;
    end loop;
    select turns || coalesce(array_agg(t.name order by t.place), '{}'),
      places || coalesce(array_agg(f.free order by t.place), '{}') into turns, places
    from unnest(found_now) with ordinality as t (name, place)
    join free_places(found_now, p_running_limit) f on f.name = t.name
    where f.free > 0;
  end loop;
  select p_limit * count(*) into others_could_take from workers w
  where w.lease_until > clock_timestamp();
  if not others_could_take > any (places) then return; end if;
  -- Others that claim at this moment could take what is left as well: one goes after the other, and
  -- counts anew. All in the same order: no deadlocks.
  perform pg_advisory_xact_lock(hashtextextended('claim ' || c.name, 0)) from (
    select t.name from unnest(turns, places) as t (name, free)
    where t.free < others_could_take order by t.name) c;
  select array_agg(t.name order by t.place), array_agg(f.free order by t.place)
  into turns, places
  from unnest(turns) with ordinality as t (name, place)
  join free_places(turns, p_running_limit) f on f.name = t.name
  where f.free > 0;
end $$;
