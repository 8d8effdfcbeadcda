-- revision 1
-- From where on runs wait and are executed; from the beginning, if that was not looked for of late.
create or replace function front_of_queue() returns queue_front
language plpgsql stable as $$
declare
  now_at timestamptz := clock_timestamp();
  front queue_front;
begin
  select * into front from queue_front f
  where f.looked_all_at between now_at - interval '3 minutes' and now_at;
  if not found then
    front.offered_at := '-infinity';
    front.queued_seq := 0;
    front.open_seq := 0;
  end if;
  -- The clock of the server may have been set back by less than that.
  front.offered_at := least(front.offered_at, now_at - interval '10 seconds');
  return front;
end $$;
