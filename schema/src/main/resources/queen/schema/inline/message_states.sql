-- :message_states(partition, message, moment)
-- Promise:  returns the delivery state of a message, for consumers without a group and over all groups.
-- Params:   the partition and the offset of the message; moment: the time by which leases are judged.
-- Returns:  one row. status: the status for consumers without a group, if there are any; otherwise completed if every group has finished
--           the message. lease_until: the earliest end of a lease on it. groups: one object per group.
(select coalesce(
            max(in_n.status) filter (where in_n.is_queue_mode),
            case when bool_or(in_n.is_dead) then 'dead_letter' when bool_and(in_n.is_consumed) then 'completed'
                 when count(in_n.lease_until) > 0 then 'processing' end,
            'pending') as status,
        max(in_n.status) filter (where in_n.is_queue_mode) as queue_status,
        count(*) filter (where in_n.is_consumed and not in_n.is_queue_mode) as consumed_by,
        count(*) filter (where not in_n.is_queue_mode) as total_groups,
        min(in_n.lease_until) filter (where not in_n.is_consumed) as lease_until,
        coalesce(json_agg(json_build_object('name', in_n.group_name, 'consumed', in_n.is_consumed, 'status', in_n.status,
                 'leaseExpiresAt', :api.iso_millis(in_n.lease_until)) order by in_n.group_name), '[]') as groups
 from (
     select in_s.*, case when in_s.is_dead then 'dead_letter' when in_s.is_consumed then 'completed'
                      when in_s.lease_until is not null then 'processing' else 'pending' end as status
     from (
         select in_c.group_name, in_c.group_name = '__QUEUE_MODE__' as is_queue_mode,
                in_c.committed > :message or coalesce(in_c.acked @> :message, false) as is_consumed,
                case when in_c.lease_until > :moment and in_c.lease_end > :message and in_c.committed <= :message then in_c.lease_until end as lease_until,
                exists (select 1 from dead_letter in_d where in_d.partition_id = in_c.partition_id and in_d.group_name = in_c.group_name
                        and in_d.message_offset = :message) as is_dead
         from cursor in_c
         where in_c.partition_id = :partition
     ) in_s
 ) in_n)
