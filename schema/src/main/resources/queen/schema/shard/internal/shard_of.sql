create function :api.shard_of(partition_id uuid)
returns text
language sql stable
as $$
-- Promise:  which shard holds a partition: its first byte says so, for ever. A lease id begins like the id of its partition, and leads there, too.
-- Params:   the partition, or the lease.
-- Returns:  the shard's schema.
-- Locks:    none.
-- Writes:   nothing
select s.name
from queen.shard s
where s.number = get_byte(uuid_send(shard_of.partition_id), 0) % (select count(*) from queen.shard)
$$;
