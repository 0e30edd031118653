create function :api.offsets_in(offsets int8multirange, first bigint, "end" bigint)
returns bigint
language sql immutable
as $$
-- Promise:  how many of these offsets lie between first and end - 1. Apart from unread, because PostgreSQL does not put a function
--           that queries in the place of its call.
-- Params:   the offsets; the bounds, of which end is after first.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
select coalesce(sum(upper(r) - lower(r)), 0)::bigint
from unnest(offsets * int8multirange(int8range(first, "end"))) r
$$;
