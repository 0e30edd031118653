create function :api.message_states(partition_id uuid, message_offset bigint, at timestamptz)
returns table (
    status text, queue_status text, consumed_by bigint, total_groups bigint, lease_until timestamptz, groups json)
language plpgsql stable
as $$
-- Promise:  how far a message has come: for those who read without a group, and over all groups.
-- Params:   the lane and the message's offset; at: the moment by which leases are judged.
-- Returns:  one row. status is that of those who read without a group, if there are any; else completed once every group has
--           passed it. lease_until: when the first to hold it has to be done. groups: one object for each.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return query
    with state as (
        select c.group_name, c.group_name = '__QUEUE_MODE__' as is_queue_mode,
               c.committed > message_offset or coalesce(c.acked @> message_offset, false) as is_consumed,
               case when c.lease_until > at and c.lease_end > message_offset and c.committed <= message_offset
                    then c.lease_until end as lease_until,
               exists (select 1 from dead_letter d where d.partition_id = c.partition_id and d.group_name = c.group_name
                       and d.message_offset = message_states.message_offset) as is_dead
        from cursor c
        where c.partition_id = message_states.partition_id
    ), named as (
        select s.*, case when s.is_dead then 'dead_letter' when s.is_consumed then 'completed'
                         when s.lease_until is not null then 'processing' else 'pending' end as status
        from state s
    )
    select coalesce(
               max(n.status) filter (where n.is_queue_mode),
               case when bool_or(n.is_dead) then 'dead_letter' when bool_and(n.is_consumed) then 'completed'
                    when count(n.lease_until) > 0 then 'processing' end,
               'pending'),
           max(n.status) filter (where n.is_queue_mode),
           count(*) filter (where n.is_consumed and not n.is_queue_mode),
           count(*) filter (where not n.is_queue_mode),
           min(n.lease_until) filter (where not n.is_consumed),
           coalesce(json_agg(json_build_object('name', n.group_name, 'consumed', n.is_consumed, 'status', n.status,
                    'leaseExpiresAt', :api.iso_millis(n.lease_until)) order by n.group_name), '[]')
    from named n;
end
$$;
