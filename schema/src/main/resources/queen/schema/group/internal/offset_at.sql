create function :api.offset_at(partition_id uuid, at timestamptz)
returns bigint
language plpgsql stable
as $$
-- Promise:  the offset of the first kept message that is not older than a moment, by halving: time never goes back within a
--           partition, so some twenty segments tell.
-- Params:   the partition; the moment.
-- Returns:  the offset; the head where every message is older; null where there is no such partition.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    return (
        select :offset_at(p.id, p.tail, p.head, offset_at.at)
        from partition p
        where p.id = offset_at.partition_id);
end
$$;
