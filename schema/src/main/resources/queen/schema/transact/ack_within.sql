create function :api.ack_within(partition_id uuid, consumer_group text, lease_id uuid, transaction_id text)
returns text
language plpgsql volatile
set search_path = queen, pg_temp
:plans_by_key
as $$
-- Promise:  finishes the message for its group when the transaction of the caller commits; the commit fails if the lease was lost. The
--           cursor is locked at commit, not before, so that other consumers do not wait.
-- Params:   as in the response of a pop.
-- Returns:  completed. QN002: the lease has ended, or does not cover the message, or the queue was deleted.
-- Locks:    none.
-- Writes:   queen.commitment
#variable_conflict use_column
declare
    hash    bytea := int8send(hashtextextended(transaction_id, 0));
    place   record;
begin
    perform :api.select_shard(:api.shard_of(ack_within.partition_id));
    for place in
        select q.name, s.base + h.at as message_offset
        from :newest_cursor(ack_within.partition_id, consumer_group) c
        cross join :newest_partition(ack_within.partition_id) p
        join queen.queue q on q.id = any (array[p.queue_id])
        cross join lateral (
            select s.base, s.count, s.hashes
            from segment s
            where s.partition_id = p.id
              and s.base >= :first_segment(p.id, c.committed)
              and s.base < c.lease_end
            offset 0
        ) s
        cross join lateral generate_series(0, s.count - 1) as h (at)
        where c.lease_id = ack_within.lease_id
          and c.lease_until > clock_timestamp()
          and position(hash in s.hashes) > 0
          and substring(s.hashes from 8 * h.at + 1 for 8) = hash
          and s.base + h.at < c.lease_end
          and s.base + h.at >= c.committed
        order by s.base, h.at
    loop
        insert into queen.commitment (queue_name, partition_id, group_name, lease_id, message_offset)
        values (place.name, ack_within.partition_id, consumer_group, ack_within.lease_id, place.message_offset)
        on conflict do nothing;
        return 'completed';
    end loop;
    if not exists (select 1 from partition v where v.id = ack_within.partition_id offset 0) then
        raise exception 'there is no such partition: its queue was deleted, or the partition was' using errcode = 'QN002';
    end if;
    raise exception 'the lease has expired or was taken over, or the message is not in it' using errcode = 'QN002';
end
$$;
