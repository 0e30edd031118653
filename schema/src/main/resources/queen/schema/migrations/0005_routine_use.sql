-- Records which routine set each server calls, so that a set is dropped only when no server has used it for a day.
-- routine_set: null for servers of earlier releases, which do not record it.
alter table queen.server add column routine_set text;

-- The routines of the release that started last. A recorded set without its schema is skipped.
create or replace function queen.routines()
returns text
language sql stable
as $$
select name from queen.routine_set where to_regnamespace(name) is not null order by used_at desc limit 1
$$;

-- This trigger applies acknowledgments and arrivals. It also fires in sessions with session_replication_role = replica.
alter table queen.commitment enable always trigger commitment_is_kept;
