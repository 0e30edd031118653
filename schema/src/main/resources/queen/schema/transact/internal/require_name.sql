create function :api.require_name(name text, label text)
returns text
language plpgsql immutable
as $$
-- Promise:  returns the name if servers accept it.
-- Params:   the name; label: the kind of name, for the error.
-- Returns:  the name. 22023: it is missing, empty, longer than 255 characters, or a name that URLs use for a directory (. and ..).
-- Locks:    none.
-- Writes:   nothing
declare
    characters_max constant int := 255;
begin
    if name is null or name = '' then
        raise exception '% must not be empty', label using errcode = '22023';
    elsif length(name) > characters_max then
        raise exception '% must not be longer than % characters', label, characters_max using errcode = '22023';
    elsif name in ('.', '..') then
        raise exception '% must not be "%"', label, name using errcode = '22023';
    end if;
    return name;
end
$$;
