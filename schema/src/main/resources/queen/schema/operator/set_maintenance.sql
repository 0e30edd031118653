create function :api.set_maintenance(actor text, kind text, enabled boolean)
returns text
language plpgsql volatile
as $$
-- Promise:  switches pushes or pops off on all servers within a second, or on again.
-- Params:   actor; kind: push or pop; enabled: true to switch off.
-- Returns:  as maintenance.
-- Locks:    the queen.system_state row; queen.catalog.
-- Writes:   queen.system_state, queen.catalog, queen.audit
declare
    was queen.system_state;
begin
    select s.* into was from queen.system_state s for no key update;
    update queen.system_state
    set push_maintenance = case when kind = 'push' then enabled else push_maintenance end,
        pop_maintenance = case when kind = 'pop' then enabled else pop_maintenance end;
    update queen.catalog set version = version + 1;
    perform :api.audit(actor, 'maintenance', kind,
        jsonb_build_object('enabled', case when kind = 'pop' then was.pop_maintenance else was.push_maintenance end),
        jsonb_build_object('enabled', enabled));

    return :api.maintenance(kind);
end
$$;
