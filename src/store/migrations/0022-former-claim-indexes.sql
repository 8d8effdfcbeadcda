-- Claims go by runs_waiting_by_key. Each index costs every write of the runs that it holds.
drop index runs_claimable;
drop index runs_waiting;
