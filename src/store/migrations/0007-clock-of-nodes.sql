-- By how much the clock of a node's machine was ahead of the database's when it last told of itself.
alter table nodes add column clock_offset_ms float8; -- negative: behind; null: not measured
