create function :api.choose_routines()
returns void
language plpgsql volatile
as $$
-- Promise:  selects the routine set that queen.push and queen.ack call: of the releases with running servers, the one that started last. A
--           release that no server has used for five minutes, such as a stopped canary, is replaced by this one.
-- Params:   none.
-- Returns:  nothing.
-- Locks:    the queen.routine_set row of this release.
-- Writes:   queen.routine_set
declare
    chosen  text := queen.routines();
    recent  timestamptz := clock_timestamp() - interval '5 minutes';
begin
    if chosen = ':api'
       or exists (select from queen.routine_set r where r.name = chosen and r.used_at >= recent)
       or exists (select from queen.server s where s.routine_set = chosen and s.seen_at >= recent)
    then
        return;
    end if;
    update queen.routine_set r set used_at = clock_timestamp() where r.name = ':api';
end
$$;
