create function :api.counting_key()
returns bigint
language sql stable
as $$
-- Promise:  the number of the advisory lock that whoever counts the partitions of a shard holds.
-- Params:   none; the shard is the one in the search_path.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
select hashtextextended('counting ' || current_schema(), 7165110007)
$$;
