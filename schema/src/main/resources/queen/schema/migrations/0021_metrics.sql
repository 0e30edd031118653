-- Why each message is a dead letter: retry_limit, lease_expired, consumer, expired or operator. Null where a release buried it
-- that did not tell, which counts it by itself.
alter table queen.dead_letter add column reason text;

-- Dead letters that came or went, noted with the change itself and without waiting for anybody. The next report of a server adds
-- them up, so there are few of them at any time.
create table queen.dead_letter_change (
    id          bigint  generated always as identity primary key,
    queue_id    uuid    not null,
    reason      text,
    ever        bigint  not null,
    kept        bigint  not null
);

-- How many dead letters a queue ever had, and has, up to the changes above. reason: 'unknown' where that is null.
create table queen.dead_letter_sum (
    queue_id    uuid    not null,
    reason      text    not null,
    ever        bigint  not null,
    kept        bigint  not null,
    primary key (queue_id, reason)
) with (fillfactor = 50);
insert into queen.dead_letter_sum (queue_id, reason, ever, kept)
select d.queue_id, 'unknown', count(*), count(*) from queen.dead_letter d group by d.queue_id;

-- Hangs on the table, so that no way into the dead letters or out of them goes uncounted, those of other releases included.
create function queen.note_dead_letters()
returns trigger
language plpgsql volatile
as $$
begin
    if tg_op <> 'INSERT' then
        insert into queen.dead_letter_change (queue_id, reason, ever, kept)
        select g.queue_id, g.reason, 0, -count(*) from gone g group by g.queue_id, g.reason;
    end if;
    if tg_op <> 'DELETE' then
        insert into queen.dead_letter_change (queue_id, reason, ever, kept)
        select c.queue_id, c.reason, count(*), count(*) from come c group by c.queue_id, c.reason;
    end if;
    return null;
end
$$;
create trigger dead_letters_came after insert on queen.dead_letter
referencing new table as come
for each statement execute function queen.note_dead_letters();
-- A dead letter that was put back by a seek and buried again is one of those there were before.
create trigger dead_letters_came_again after update on queen.dead_letter
referencing old table as gone new table as come
for each statement execute function queen.note_dead_letters();
create trigger dead_letters_went after delete on queen.dead_letter
referencing old table as gone
for each statement execute function queen.note_dead_letters();

-- Messages that were pushed and not taken, by queue and reason: by minute, and ever.
create table queen.refusal_minute (
    queue_id    uuid        not null,
    at          timestamptz not null,
    reason      text        not null,
    count       bigint      not null,
    primary key (queue_id, at, reason)
) with (fillfactor = 80);
create index refusal_minute_at_idx on queen.refusal_minute (at);
insert into queen.roll_off (table_name, time_column) values ('queen.refusal_minute', 'at');

create table queen.refusal_sum (
    queue_id    uuid        not null,
    reason      text        not null,
    count       bigint      not null,
    primary key (queue_id, reason)
) with (fillfactor = 50);
