create function :api.record_key_use(ids text[], used_at timestamptz[])
returns text
language plpgsql volatile
as $$
-- Promise:  stores the time of the last use of API keys, unless a later time is stored already.
-- Params:   arrays of equal length: the ids of the keys, and the time of use of each.
-- Returns:  {updated}: the number of changed rows.
-- Locks:    queen.api_key rows, ascending by id; a row that another session has locked is skipped.
-- Writes:   queen.api_key
#variable_conflict use_column
declare
    changed bigint;
begin
    with free as (
        select k.id, u.at
        from unnest(ids, record_key_use.used_at) as u (id, at)
        join queen.api_key k on k.id = any (array[u.id])
        where k.used_at is null or k.used_at < u.at
        order by k.id
        for no key update of k skip locked
    )
    update queen.api_key k set used_at = f.at from free f where k.id = f.id;
    get diagnostics changed = row_count;
    return json_build_object('updated', changed)::text;
end
$$;
