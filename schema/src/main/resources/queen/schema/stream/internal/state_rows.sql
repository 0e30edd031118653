create function :api.state_rows(
    state_id uuid, partition_id uuid, keys text[], prefix text, ripe_until double precision, rows_max int)
returns setof stream_state
language plpgsql stable
as $$
-- Promise:  the state of one partition that passes every filter, found by the index that fits: no other row is looked at.
-- Params:   keys, prefix (taken literally) and ripe_until may be null, which means all; how many rows at most.
-- Returns:  the rows, those of windows that ended first before others when ripe_until is given, else by key.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
begin
    if keys is not null then
        return query
        select s.*
        from (select distinct k.key from unnest(keys) as k (key)) k
        cross join lateral (
            select s.*
            from stream_state s
            where s.state_id = state_rows.state_id and s.partition_id = state_rows.partition_id and s.key = k.key
            offset 0
        ) s
        where (prefix is null or starts_with(s.key, prefix))
          and (ripe_until is null or s.window_end <= ripe_until)
        order by s.key
        limit rows_max;
    elsif ripe_until is not null then
        return query
        select s.*
        from stream_state s
        where s.state_id = state_rows.state_id
          and s.partition_id = state_rows.partition_id
          and s.window_end <= ripe_until
          and (prefix is null or starts_with(s.key, prefix))
        order by s.window_end, s.key
        limit rows_max;
    else
        return query
        select s.*
        from stream_state s
        where s.state_id = state_rows.state_id
          and s.partition_id = state_rows.partition_id
          and s.key >= coalesce(prefix, '')
          -- No character comes after this one, so whatever begins with the prefix is before it.
          and s.key < coalesce(prefix, '') || repeat(chr(1114111), 8)
          and starts_with(s.key, coalesce(prefix, ''))
        order by s.key
        limit rows_max;
    end if;
end
$$;
