create function :api.lock_all_cursors(partition_ids uuid[])
returns uuid[]
language plpgsql volatile
as $$
-- Promise:  ends expired leases in the partitions and locks all their cursors until the transaction ends.
-- Params:   partitions that the caller has locked, so that no cursor is created.
-- Returns:  the partitions of which all cursors are locked.
-- Locks:    cursor rows, ascending by (partition_id, group_name), never waiting.
-- Writes:   cursor, failure, dead_letter (of expired leases)
#variable_conflict use_column
declare
    overdue uuid[];
    groups  text[];
begin
    select array_agg(c.partition_id), array_agg(c.group_name)
    into overdue, groups
    from unnest(partition_ids) as i (partition_id)
    join cursor c on c.partition_id = any (array[i.partition_id])
    where c.lease_until <= clock_timestamp();
    if overdue is not null then
        perform from :api.expire(overdue, groups);
    end if;

    return array(
        with locked as (
            select c.partition_id
            from unnest(partition_ids) as i (partition_id)
            join cursor c on c.partition_id = any (array[i.partition_id])
            order by i.partition_id, c.group_name
            for update of c skip locked
        ), counted as (
            select l.partition_id, count(*) as count from locked l group by l.partition_id
        )
        select i.partition_id
        from unnest(partition_ids) as i (partition_id)
        left join counted n on n.partition_id = i.partition_id
        where coalesce(n.count, 0) = (select count(*) from cursor c where c.partition_id = i.partition_id)
        order by i.partition_id);
end
$$;
