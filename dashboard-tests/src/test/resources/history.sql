-- A day of numbers as servers would have reported them: busy by day, calm by night, a little noise, one bad quarter of an hour.
-- What the server has reported so far is nothing but its start.
delete from queen.server_bucket;
delete from queen.server_gauge;

create temp table minute as
select m as at, extract(epoch from now() - m) / 60 as ago,
       0.55 + 0.35 * sin(extract(epoch from m) / 86400 * 2 * pi() - 1.5) + 0.08 * sin(extract(epoch from m) / 700) + 0.05 * random() as load
from generate_series(date_trunc('minute', now()) - interval '24 hours', date_trunc('minute', now()), interval '1 minute') m;

create temp table queue_minute as
select q.id, m.at, m.ago,
       floor(m.load * w.weight * (0.9 + 0.2 * random()))::bigint as pushed,
       floor(m.load * w.weight * (0.88 + 0.2 * random()) * case when m.ago between 12 and 26 then 0.55 when m.ago between 4 and 12 then 1.4 else 1 end)::bigint as acked,
       case when m.ago between 12 and 26 then 900 + 2200 * random() else 20 + 60 * random() end as lag
from minute m
cross join (values ('shop.orders', 5200), ('shop.invoices', 1900), ('shop.emails', 1400), ('media.transcode', 650), ('payments.cards', 420)) w (name, weight)
join queen.queue q on q.name = w.name;

insert into queen.queue_bucket
select x.id, b.minutes, date_bin(make_interval(mins => b.minutes), x.at, 'epoch'), s.id,
       sum(x.pushed) / 12, sum(x.pushed), sum(x.acked) / 30, sum(x.acked), 40 * b.minutes, sum(x.acked) / 30, sum(x.acked), sum(x.acked) / 900, 0,
       case when max(x.ago) between 12 and 26 then 2 else 0 end, 0, sum(x.acked * x.lag)::bigint, (max(x.lag) * 3.5)::bigint, 14 + (10 * random())::int
from queue_minute x
cross join (values (1), (60)) b (minutes)
cross join (select id from queen.server limit 1) s
group by x.id, b.minutes, 3, s.id
on conflict do nothing;

insert into queen.server_bucket
select s.id, b.minutes, date_bin(make_interval(mins => b.minutes), x.at, 'epoch'),
       sum(x.pushed) / 12, sum(x.pushed), sum(x.acked) / 30, sum(x.acked), 200 * b.minutes, sum(x.acked) / 30, sum(x.acked), sum(x.acked) / 900, 0,
       (sum(case when x.ago between 12 and 26 then 1 else 0 end) / 6)::bigint, 0, sum(x.acked * x.lag)::bigint, (max(x.lag) * 3.5)::bigint, sum(x.pushed) / 30, 0
from queue_minute x
cross join (values (1), (60)) b (minutes)
cross join (select id from queen.server limit 1) s
group by s.id, b.minutes, 3
on conflict do nothing;

insert into queen.server_gauge
select s.id, b.minutes, date_bin(make_interval(mins => b.minutes), m.at, 'epoch'), g.name, 12 * count(*),
       12 * sum(g.base + g.swing * m.load), min(g.base + g.swing * m.load) * 0.9, max(g.base + g.swing * m.load) * 1.25, max(g.base + g.swing * m.load)
from minute m
cross join (values ('loop.lag_ms', 0.3, 1.4), ('cpu.user_us', 400, 3600), ('cpu.system_us', 100, 900), ('memory.rss_bytes', 190e6, 60e6),
                   ('memory.virtual_bytes', 3.1e9, 0), ('database.pool_size', 12, 0), ('database.pool_idle', 10, -5), ('database.pool_active', 2, 5),
                   ('calls.waiting', 0, 3), ('pops.waiting', 20, 60)) g (name, base, swing)
cross join (values (1), (60)) b (minutes)
cross join (select id from queen.server limit 1) s
group by s.id, b.minutes, 3, g.name
on conflict do nothing;

insert into queen.lag_bucket (queue_id, minutes, at, oldest_s, depth)
select x.id, b.minutes, date_bin(make_interval(mins => b.minutes), x.at, 'epoch'), max(greatest(0, 60 * (14 - x.ago)))::bigint,
       max(40 + 30 * sin(x.ago / 6.0) + greatest(0, 30 * (14 - x.ago)))::bigint
from queue_minute x
join queen.queue q on q.id = x.id and q.name = 'shop.orders'
cross join (values (1), (60)) b (minutes)
group by x.id, b.minutes, 3
on conflict do nothing;
