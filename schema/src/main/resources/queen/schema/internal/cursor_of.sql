create function :api.cursor_of(partition_id uuid, group_name text)
returns table (
    tid tid, committed bigint, lease_id uuid, lease_until timestamptz, lease_end bigint, acked int8multirange,
    is_failing boolean, retry_at timestamptz, completed_count bigint, dead_count bigint, skipped_count bigint,
    expired_count bigint, last_ack_at timestamptz, is_alone boolean, kept_lease_id uuid)
language sql stable
as $$
-- Promise:  the cursor of a group in a lane, found at its newest generation without a look at older ones. PostgreSQL puts this
--           query in the place of the call, so it costs no call.
-- Params:   the lane and the group.
-- Returns:  at most one row; tid: where it is stored, for an update later in the same statement.
-- Locks:    none.
-- Writes:   nothing
select c.ctid, c.committed, c.lease_id, c.lease_until, c.lease_end, c.acked, c.is_failing, c.retry_at,
       c.completed_count, c.dead_count, c.skipped_count, c.expired_count, c.last_ack_at, c.is_alone, c.kept_lease_id
from queen.cursor c
where c.partition_id = cursor_of.partition_id
  and c.group_name = cursor_of.group_name
order by c.generation desc
limit 1
$$;
