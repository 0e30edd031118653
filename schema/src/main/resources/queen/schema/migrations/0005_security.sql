-- One row: what holds for all servers together.
-- *_maintenance:    nothing is taken in, or nothing handed out, by any server.
-- encryption_epoch: grows whenever the encryption of a queue is switched on. Push compares it with the epoch of the
--                   caller's catalog, so that a server that has not heard of it yet stores nothing in clear.
-- It is read by every push, so it is no part of queen.catalog, which changes whenever a queue does.
create table queen.system_state (
    is_the_only_row     boolean     primary key default true,
    push_maintenance    boolean     not null default false,
    pop_maintenance     boolean     not null default false,
    encryption_epoch    bigint      not null default 0,
    constraint system_state_has_one_row check (is_the_only_row)
);
insert into queen.system_state default values;

-- Who did what, and what was done to a thing, latest first.
create index audit_actor_id_idx on queen.audit (actor, id);
create index audit_target_id_idx on queen.audit (target, id);
