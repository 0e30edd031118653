create function :api.bucket_minutes(from_at timestamptz, to_at timestamptz)
returns int
language plpgsql immutable
as $$
-- Promise:  returns the width of the buckets of a series over the range, so that it has few points.
-- Params:   the range.
-- Returns:  the width in minutes; QN400 if the range ends before it begins or is longer than ten years.
-- Locks:    none.
-- Writes:   nothing
declare
    length interval := to_at - from_at;
begin
    if to_at < from_at then
        raise exception 'from must not be later than to' using errcode = 'QN400';
    elsif length > interval '3650 days' then
        raise exception 'the range is longer than ten years' using errcode = 'QN400';
    end if;
    return case
        when length <= interval '60 minutes' then 1
        when length <= interval '6 hours' then 5
        when length <= interval '24 hours' then 15
        when length <= interval '7 days' then 60
        else 360
    end;
end
$$;
