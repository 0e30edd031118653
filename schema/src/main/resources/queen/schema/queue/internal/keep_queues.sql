create function :api.keep_queues(queue_ids uuid[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  partitions and cursors may be added to these queues in this transaction: none of them goes before it ends.
-- Params:   the queues, each any number of times.
-- Returns:  those that exist and are not just being deleted.
-- Locks:    queen.queue rows, ascending by id, for key share, never waiting.
-- Writes:   nothing
#variable_conflict use_column
begin
    if to_regclass('pg_catalog.pg_dist_schema') is null then
        return array(select q.id from queen.queue q where q.id = any (queue_ids) order by q.id for key share skip locked);
    end if;
    -- On Citus the catalog is on every node, and would be locked on all of them: callers on two nodes would wait for each other. What
    -- is left there is the partition's own row, which whoever adds a cursor has locked. A partition that is added in the moment in which
    -- its queue is deleted may stay behind: nothing lists it, and nothing is delivered from it.
    return array(select q.id from queue q where q.id = any (queue_ids));
end
$$;
