create function :api.await_pushes(wait_ms int)
returns boolean
language plpgsql volatile
as $$
-- Promise:  waits until every call that was appending messages when this one began has ended, on every node: afterward all messages of
--           those calls are stored. New calls are not delayed.
-- Params:   wait_ms: the maximum wait on each node. 55P03 is raised after that, and if a node cannot be reached.
-- Returns:  true.
-- Locks:    none.
-- Writes:   nothing
declare
    encryption_epoch    constant bigint := (select s.encryption_epoch from queen.system_state s where s.is_the_only_row);
    node                record;
begin
    perform :api.await_pushes_here(wait_ms, encryption_epoch);
    if to_regclass('pg_catalog.pg_dist_node') is not null then
        for node in
            select a.nodename, a.nodeport, a.success, a.result
            from run_command_on_workers(format('select :api.await_pushes_here(%s, %s)', wait_ms, encryption_epoch)) a
        loop
            if not node.success then
                raise exception '%:%: %', node.nodename, node.nodeport, node.result using errcode = '55P03';
            end if;
        end loop;
    end if;
    return true;
end
$$;
