-- A redrive that cannot go on ends as failed, instead of staying where it is for ever.
-- failures: how often in a row it could not go on.
alter table queen.redrive
    add column failures int not null default 0,
    drop constraint redrive_status_is_known,
    add constraint redrive_status_is_known check (status in ('running', 'finished', 'cancelled', 'failed'));

-- is_sought: an operator said where the group begins, and the group has not come yet.
alter table queen.subscription add column is_sought boolean not null default false;
