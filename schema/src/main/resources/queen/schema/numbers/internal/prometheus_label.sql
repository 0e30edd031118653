create function :api.prometheus_label(name text, value text)
returns text
language sql immutable
as $$
-- Promise:  a label as the text format of Prometheus wants it, whatever the value contains.
-- Params:   the name and the value of the label.
-- Returns:  name="value"
-- Locks:    nothing.
-- Writes:   nothing
    select name || '="' || replace(replace(replace(value, '\', '\\'), '"', '\"'), e'\n', '\n') || '"';
$$;
