create function :api.reject_dots(names text[], what text)
returns void
language plpgsql immutable
as $$
-- Promise:  nothing is called . or .. from now on: URLs use these names for directories, so that a request for one of them would reach another
--           object. Older releases allowed them; what has such a name already keeps it.
-- Params:   names of what is being created; what they name, for the error.
-- Returns:  nothing. QN400: one of them is such a name.
-- Locks:    none.
-- Writes:   nothing
begin
    if names && array['.', '..'] then
        raise exception '% must not be "." or ".."; choose another name', what using errcode = 'QN400';
    end if;
end
$$;
