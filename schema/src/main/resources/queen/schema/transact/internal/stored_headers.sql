create function :api.stored_headers(headers json)
returns text
language plpgsql immutable
as $$
-- Promise:  returns the headers of a message as stored in lines: a space follows each comma, so that no header looks like a field of the
--           line.
-- Params:   an object of strings; null for none.
-- Returns:  the object; null for none. 22023: it is not an object of strings, or exceeds the limits of servers.
-- Locks:    none.
-- Writes:   nothing
declare
    headers_max constant int := 64;
    bytes_max   constant int := 4096;
    stored      text;
begin
    if headers is null then
        return null;
    elsif json_typeof(headers) <> 'object' then
        raise exception 'headers must be an object' using errcode = '22023';
    elsif exists (select 1 from json_each(headers) h where json_typeof(h.value) <> 'string') then
        raise exception 'headers must be strings' using errcode = '22023';
    elsif (select count(*) <> count(distinct h.key) from json_each(headers) h) then
        raise exception 'headers must not have a name twice' using errcode = '22023';
    elsif (select count(*) from json_each(headers)) > headers_max then
        raise exception 'headers must have at most % names', headers_max using errcode = '22023';
    end if;
    perform :api.require_name(h.key, 'headers: the name of a header') from json_each(headers) h;
    select '{' || string_agg(to_json(h.key)::text || ':' || to_json(h.value)::text, ', ') || '}'
    into stored
    from json_each_text(headers) h;
    if octet_length(stored) > bytes_max then
        raise exception 'headers must not take more than % bytes', bytes_max using errcode = '22023';
    end if;
    return stored;
end
$$;
