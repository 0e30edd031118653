create function :api.first_beyond(offsets int8multirange, place bigint)
returns bigint
language sql immutable
as $$
-- Promise:  the first offset from a place on that is not among these. Apart from first_unread, because PostgreSQL does not put a
--           function that queries in the place of its call.
-- Params:   the offsets; the place.
-- Returns:  the offset.
-- Locks:    none.
-- Writes:   nothing
select coalesce((select upper(r) from unnest(offsets) r where r @> place), place)
$$;
