-- Where the result of a call goes on. Callers get the id of the call as cursor; this is for the
-- action alone.
alter table action_invocations
  add column next_cursor text, -- null: the result is whole, or the call failed
  add constraint action_invocations_page check (
    next_cursor is null or (status = 'completed' and connection_id is not null)) not valid;
