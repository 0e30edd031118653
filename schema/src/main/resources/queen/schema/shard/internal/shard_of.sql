create function :api.shard_of(partition_id uuid)
returns text
language sql stable
as $$
-- Promise:  returns the shard of a partition, which its first byte determines and which never changes. A lease id begins like the id of its
--           partition and has the same shard.
-- Params:   the partition, or the lease.
-- Returns:  the schema of the shard.
-- Locks:    none.
-- Writes:   nothing
select s.name
from queen.shard s
where s.number = get_byte(uuid_send(shard_of.partition_id), 0) % (select count(*) from queen.shard)
$$;
