create function :api.maintenance(kind text)
returns text
language sql stable
as $$
-- Promise:  whether servers take messages in and hand them out at all.
-- Params:   pop: only about handing out; push: about both.
-- Returns:  {maintenanceMode, popMaintenanceMode} or {popMaintenanceMode, message}; each server adds what is in its spool.
-- Locks:    nothing.
-- Writes:   nothing
    select case when kind = 'pop' then
        json_build_object(
            'popMaintenanceMode', s.pop_maintenance,
            'message', case when s.pop_maintenance then 'messages are not handed out' else 'messages are handed out' end)
    else
        json_build_object('maintenanceMode', s.push_maintenance, 'popMaintenanceMode', s.pop_maintenance)
    end::text
    from queen.system_state s;
$$;
