create function :api.reject_dot_names(names text[], label text)
returns void
language plpgsql immutable
as $$
-- Promise:  rejects the names . and .. for new objects: URLs use them for directories, so a request for such an object would reach another
--           one. Older releases allowed them; existing objects keep such names.
-- Params:   names of objects that are created; label: the kind of object, for the error.
-- Returns:  nothing. QN400: one of the names is . or ..
-- Locks:    none.
-- Writes:   nothing
begin
    if names && array['.', '..'] then
        raise exception '% must not be "." or ".."; choose another name', label using errcode = 'QN400';
    end if;
end
$$;
