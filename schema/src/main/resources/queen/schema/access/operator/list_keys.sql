create function :api.list_keys("limit" bigint, "offset" bigint)
returns text
language plpgsql stable
as $$
-- Promise:  returns a page of the API keys without their secret hashes: unrevoked keys first, then newest first.
-- Params:   the page.
-- Returns:  {keys: [as key_document], total, pagination}.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    shown   queen.api_key;
    keys    json[] := '{}';
begin
    for shown in
        select k.*
        from queen.api_key k
        order by k.revoked_at is not null, k.created_at desc, k.id
        limit list_keys."limit" offset list_keys."offset"
    loop
        keys := keys || :api.key_document(shown);
    end loop;
    return json_build_object(
        'keys', array_to_json(keys),
        'total', (select count(*) from queen.api_key),
        'pagination', json_build_object('limit', list_keys."limit", 'offset', list_keys."offset"))::text;
end
$$;
