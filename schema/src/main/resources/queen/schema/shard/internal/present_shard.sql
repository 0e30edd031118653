create function :api.present_shard()
returns text
language plpgsql stable
as $$
-- Promise:  returns the shard of a routine that is called once for each shard: the one in the search_path, or the only one.
-- Params:   none.
-- Returns:  its schema. 55000: there are several shards, and none is selected.
-- Locks:    none.
-- Writes:   nothing
declare
    names constant text[] := :api.shards();
begin
    if current_schema() = any (names) then
        return current_schema();
    elsif cardinality(names) = 1 then
        return names[1];
    end if;
    raise exception 'a shard has to be in the search_path: this is done shard by shard' using errcode = '55000';
end
$$;
