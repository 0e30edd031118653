create function :api.list_operations("limit" bigint, scope uuid[] default null)
returns text
language plpgsql stable
as $$
-- Promise:  the operations on all partitions of a queue that are running, and those that finished within the last days, the latest
--           first. An operation that its request finished at once is not listed.
-- Params:   how many. scope: only these queues, which exist; null for all.
-- Returns:  {operations}.
-- Locks:    none.
-- Writes:   nothing
begin
    return json_build_object('operations', :api.operation_documents(null, "limit", scope))::text;
end
$$;
