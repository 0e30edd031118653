create function :api.maintenance(kind text)
returns text
language sql stable
as $$
-- Promise:  returns whether pushes and pops are switched off for maintenance.
-- Params:   kind: pop: only pops; push: both.
-- Returns:  {maintenanceMode, popMaintenanceMode} or {popMaintenanceMode, message}; each server adds the contents of its spool.
-- Locks:    none.
-- Writes:   nothing
    select case when kind = 'pop' then
        json_build_object(
            'popMaintenanceMode', s.pop_maintenance,
            'message', case when s.pop_maintenance then 'messages are not delivered' else 'messages are delivered' end)
    else
        json_build_object('maintenanceMode', s.push_maintenance, 'popMaintenanceMode', s.pop_maintenance)
    end::text
    from queen.system_state s;
$$;
