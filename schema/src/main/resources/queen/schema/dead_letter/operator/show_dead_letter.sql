create function :api.show_dead_letter(partition_id uuid, transaction_id text, group_name text)
returns text
language plpgsql stable
set search_path = queen, pg_temp
as $$
-- Promise:  returns one dead letter with its payload; of several, the one that failed last.
-- Params:   the partition; the transactionId; the group, null for any.
-- Returns:  the dead letter; null if there is none.
-- Locks:    none.
-- Writes:   nothing
#variable_conflict use_column
declare
    place record;
begin
    perform :api.select_shard(:api.shard_of(show_dead_letter.partition_id));
    select d.partition_id, d.group_name, d.message_offset into place
    from dead_letter d
    where d.partition_id = show_dead_letter.partition_id
      and d.transaction_id = show_dead_letter.transaction_id
      and (show_dead_letter.group_name is null or d.group_name = show_dead_letter.group_name)
    order by d.failed_at desc
    limit 1;
    return (
        select :api.dead_letter_document(d.dead, d.omitted_bytes)::text
        from :api.dead_letters_at(array[place.partition_id], array[place.group_name], array[place.message_offset]) d
        where place.partition_id is not null);
end
$$;
