-- What a list shows of a long input, so that no page reads inputs that it does not give, and how large
-- an approval's input and an event's data are as texts. Null where a row is older: it is measured
-- when it is read, and housekeeping fills it in for runs and approvals; events expire.
alter table runs
  add column listed_input     json,     -- the beginning of an input that is too long for lists
  add column input_truncated  boolean;  -- whether it is
alter table approvals add column input_bytes integer;
alter table run_events add column data_bytes integer;
