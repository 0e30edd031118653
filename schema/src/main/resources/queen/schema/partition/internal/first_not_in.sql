create function :api.first_not_in(offsets int8multirange, place bigint)
returns bigint
language sql immutable
as $$
-- Promise:  returns the first offset at or after a place that is not among these offsets. Separate from first_unread, because PostgreSQL
--           does not inline a function with a query.
-- Params:   the offsets; the place.
-- Returns:  the offset.
-- Locks:    none.
-- Writes:   nothing
select coalesce((select upper(r) from unnest(offsets) r where r @> place), place)
$$;
