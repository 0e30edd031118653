create function :api.await_pushes(wait_ms int)
returns boolean
language plpgsql volatile
as $$
-- Promise:  every call that was adding messages when this one began has ended, on every node, so that all there will ever be stored by what
--           it knew is stored. New calls are not held up.
-- Params:   how long to wait at most, on each node; then 55P03 is raised, and so it is when a node cannot be asked.
-- Returns:  true.
-- Locks:    nothing.
-- Writes:   nothing
declare
    encryption_epoch    constant bigint := (select s.encryption_epoch from queen.system_state s where s.is_the_only_row);
    answer              record;
begin
    perform :api.await_pushes_here(wait_ms, encryption_epoch);
    if to_regclass('pg_catalog.pg_dist_node') is not null then
        for answer in
            select a.nodename, a.nodeport, a.success, a.result
            from run_command_on_workers(format('select :api.await_pushes_here(%s, %s)', wait_ms, encryption_epoch)) a
        loop
            if not answer.success then
                raise exception '%:%: %', answer.nodename, answer.nodeport, answer.result using errcode = '55P03';
            end if;
        end loop;
    end if;
    return true;
end
$$;
