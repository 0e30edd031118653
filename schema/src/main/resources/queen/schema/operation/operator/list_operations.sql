create function :api.list_operations("limit" bigint, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  returns the operations on all partitions of a queue that are running, or finished within the last days, newest first. An
--           operation that its request finished at once is not listed.
-- Params:   limit: the maximum number. scope: only these queues, which exist; null for all.
-- Returns:  {operations}.
-- Locks:    none.
-- Writes:   nothing
begin
    return json_build_object('operations', :api.operation_documents(null, "limit", scope))::text;
end
$$;
