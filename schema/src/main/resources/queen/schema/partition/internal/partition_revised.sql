create function :api.partition_revised(partition_id uuid)
returns void
language plpgsql volatile
as $$
-- Promise:  makes every server reload the state of the partition within a second, and the partition is counted again.
-- Params:   a partition of which an operator changed the state, a cursor or messages. For many partitions of a queue call queue_revised.
-- Returns:  nothing.
-- Locks:    queen.catalog.
-- Writes:   queen.revised_partition, queen.catalog, touched_partitions
#variable_conflict use_column
declare
    version_now bigint;
    forgotten   bigint;
    old_before  timestamptz := clock_timestamp() - interval '10 minutes';
begin
    -- Must be written while the catalog is locked, so that no server reads a version without its partitions.
    update queen.catalog set version = version + 1 returning version into version_now;
    insert into queen.revised_partition (version, partition_id) values (version_now, partition_revised.partition_id);
    perform :api.touch_partitions(array[partition_revised.partition_id], '{}');

    with old as (
        delete from queen.revised_partition r
        where r.version in (select o.version from queen.revised_partition o order by o.version limit 100)
          and r.revised_at < old_before
        returning r.version
    )
    select max(o.version) into forgotten from old o;
    if forgotten is not null then
        update queen.catalog set partitions_since = forgotten;
    end if;
end
$$;
