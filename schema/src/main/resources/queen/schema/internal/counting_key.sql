create function :api.counting_key()
returns bigint
language sql stable
as $$
-- Promise:  the number of the advisory lock that whoever counts lanes holds. Every shard has its own.
-- Params:   none.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
select 7165110007 + coalesce((select s.number from queen.shard s where s.name = current_schema()), 0)
$$;
