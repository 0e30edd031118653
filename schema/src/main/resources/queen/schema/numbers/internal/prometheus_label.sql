create function :api.prometheus_label(name text, value text)
returns text
language sql immutable
as $$
-- Promise:  returns a label in the text format of Prometheus, with the value escaped.
-- Params:   the name and the value of the label.
-- Returns:  name="value"
-- Locks:    none.
-- Writes:   nothing
    select name || '="' || replace(replace(replace(value, '\', '\\'), '"', '\"'), e'\n', '\n') || '"';
$$;
