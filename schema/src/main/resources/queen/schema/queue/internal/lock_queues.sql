create function :api.lock_queues(queue_ids uuid[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  locks queues so that partitions and cursors may be added to them in this transaction: none of them is deleted before it ends.
-- Params:   the queues, each any number of times.
-- Returns:  those that exist and are not being deleted.
-- Locks:    queen.queue rows, ascending by id, for key share, never waiting.
-- Writes:   nothing
#variable_conflict use_column
begin
    if to_regclass('pg_catalog.pg_dist_schema') is null then
        return array(select q.id from queen.queue q where q.id = any (queue_ids) order by q.id for key share skip locked);
    end if;
    -- On Citus the catalog would be locked on every node, and callers on two nodes would deadlock. The row of the partition, which the
    -- caller of a cursor insert has locked, protects instead. A partition that is added while its queue is deleted may remain: it is not
    -- listed, and not delivered.
    return array(select q.id from queue q where q.id = any (queue_ids));
end
$$;
