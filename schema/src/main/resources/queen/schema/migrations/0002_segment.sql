-- One stored run of messages of a lane: offsets base to base + count - 1. Never updated.
-- body:   one line of JSON per message, {"id":…,"transactionId":…,"traceId":…,"producerSub":…,"data":…}, UTF-8, each line ended by \n.
-- hashes: hashtextextended(transactionId, 0) of each message, 8 bytes each, big endian, in order.
-- created_at is taken while the lane is locked and never goes back within a lane.
create table queen.segment (
    partition_id    uuid        not null,
    base            bigint      not null,
    count           int         not null,
    created_at      timestamptz not null,
    hashes          bytea       not null,
    body            bytea       not null,
    primary key (partition_id, base),
    constraint segment_is_not_empty check (count > 0),
    constraint segment_has_a_hash_for_each_message check (octet_length(hashes) = 8 * count)
);
alter table queen.segment alter column hashes set storage external;

-- lz4 makes bodies as small as the default does for a good deal less CPU; where the server was built without it, not
-- compressing at all costs the least CPU. All three are measured in docs/benchmarks/push-routine.md.
do $$
begin
    if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
        alter table queen.segment alter column body set compression lz4;
    else
        alter table queen.segment alter column body set storage external;
    end if;
end
$$;
