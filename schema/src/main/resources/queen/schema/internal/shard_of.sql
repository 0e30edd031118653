create function :api.shard_of(partition_id uuid)
returns text
language sql stable
as $$
-- Promise:  which shard holds a lane: its first byte says so, for ever. A lease id begins like the id of its lane, and leads there, too.
-- Params:   the lane, or the lease.
-- Returns:  the shard's schema.
-- Locks:    none.
-- Writes:   nothing
select s.name
from queen.shard s
where s.number = get_byte(uuid_send(shard_of.partition_id), 0) % (select count(*) from queen.shard)
$$;
