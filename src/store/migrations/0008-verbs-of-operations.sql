-- What the caller of an operation chooses from: power_off, reboot. Search knows an operation by it.
alter table operation_definitions add column verbs text not null default '';
