create function :api.counting_key()
returns bigint
language sql stable
as $$
-- Promise:  returns the number of the advisory lock for counting the partitions of a shard.
-- Params:   none; the shard is the one in the search_path.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
select hashtextextended('counting ' || current_schema(), 7165110007)
$$;
