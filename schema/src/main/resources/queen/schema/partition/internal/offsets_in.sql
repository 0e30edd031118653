create function :api.offsets_in(offsets int8multirange, first bigint, "end" bigint)
returns bigint
language sql immutable
as $$
-- Promise:  returns how many of these offsets are between first and end - 1. Separate from unread, because PostgreSQL does not inline a
--           function with a query.
-- Params:   the offsets; the bounds; end must be greater than first.
-- Returns:  the number.
-- Locks:    none.
-- Writes:   nothing
select coalesce(sum(upper(r) - lower(r)), 0)::bigint
from unnest(offsets * int8multirange(int8range(first, "end"))) r
$$;
