create function :api.state_rows(
    state_id uuid, partition_id uuid, keys text[], prefix text, ripe_until double precision, rows_max int)
returns setof stream_state
language plpgsql stable
as $$
-- Promise:  returns the state of one partition that passes every filter, found by the index that fits; reads no other rows.
-- Params:   keys, prefix (taken literally) and ripe_until may be null, which means all; rows_max: the maximum number of rows.
-- Returns:  the rows; if ripe_until is given, ordered by the end of their windows, otherwise by key.
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
          -- chr(1114111) is the last character, so every key with the prefix is below this bound.
          and s.key < coalesce(prefix, '') || repeat(chr(1114111), 8)
          and starts_with(s.key, coalesce(prefix, ''))
        order by s.key
        limit rows_max;
    end if;
end
$$;
