-- revision 1
-- The beginning of a run's input, as lists show it: the first 4,096 characters, of which each part
-- takes 32 besides its text. Null if that is all of it; then its JSON may have more bytes. An input
-- of no more than 4,096 bytes is never longer: a part takes as many of them for its type alone.
--
-- Roles and types are not read, as they have one value each: every look into a text of a megabyte
-- takes 3 ms. No more than the characters that may be shown are counted.
create or replace function shortened_input(p_input json)
returns json
language sql
immutable
parallel safe
as $$
  with parts as materialized (
    select item.nth as item, part.nth as part, left(part.value->>'text', 4096) as text
    from json_array_elements(p_input) with ordinality as item (value, nth)
    cross join json_array_elements(item.value->'content') with ordinality as part (value, nth)
  ), placed as (
    select *, sum(length(text) + 32) over (order by item, part) - length(text) as text_from
    from parts
  )
  select json_agg(json_build_object('role', 'user', 'content', i.content) order by i.item)
  from (
    select item, json_agg(json_build_object('type', 'input_text',
      'text', left(text, (4096 - text_from)::int)) order by part) as content
    from placed where text_from < 4096 group by item) i
  where (select max(text_from + length(text)) from placed) > 4096
$$;
