create function :api.partition_id(queue_id uuid, name text)
returns uuid
language sql immutable strict
as $$
-- Promise:  returns the id of a partition: the name-based UUID (version 3, MD5) of the id of its queue and its name. Every server computes
--           the same id.
-- Params:   the id of the queue; the name of the partition.
-- Returns:  the id, whether or not the partition exists.
-- Locks:    none.
-- Writes:   nothing
select (overlay(overlay(h placing '3' from 13 for 1)
        placing to_hex((('x' || substr(h, 17, 1))::bit(4) & b'0011' | b'1000')::int) from 17 for 1))::uuid
from (select md5(uuid_send(queue_id) || convert_to(name, 'UTF8')) as h) x
$$;
