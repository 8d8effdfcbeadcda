-- revision 1
-- From where on runs wait and are executed. The clock of the server may have been set back since that
-- was looked for: what is offered by it now has to lie behind the front.
create or replace function front_of_queue() returns queue_front
language plpgsql stable as $$
declare
  front queue_front;
begin
  select * into front from queue_front;
  front.offered_at := least(front.offered_at, clock_timestamp() - interval '10 seconds');
  return front;
end $$;
