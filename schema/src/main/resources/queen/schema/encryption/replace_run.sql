create function :api.replace_run(
    of_partition uuid, of_first bigint, upto bigint, firsts bigint[], ends bigint[], key_ids text[], are_bound boolean[], sizes bigint[])
returns boolean
language plpgsql volatile
as $$
-- Promise:  replaces the first part of a run by the runs that were found there at re-encryption; the rest of the run does not change.
-- Params:   the run; upto: the offset up to which it was read; the runs that were found there, as in record_keys.
-- Returns:  whether the run existed.
-- Locks:    the rows it writes.
-- Writes:   queen.key_run
#variable_conflict use_column
declare
    old queen.key_run;
begin
    delete from queen.key_run r where r.partition_id = of_partition and r.first_offset = of_first returning r.* into old;
    if not found then
        return false;
    end if;
    if upto < old.end_offset then
        insert into queen.key_run (partition_id, first_offset, end_offset, queue_id, key_id, is_bound, bytes)
        values (of_partition, upto, old.end_offset, old.queue_id, old.key_id, old.is_bound,
                (old.bytes * ((old.end_offset - upto)::float8 / (old.end_offset - old.first_offset)))::bigint);
    end if;
    perform :api.record_keys(of_partition, old.queue_id, firsts, ends, key_ids, are_bound, sizes);
    return true;
end
$$;
