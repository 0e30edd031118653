-- Sessions that may block counting, pushes or migrations.
-- snippet: sql-long-transactions
select pid, usename, state, now() - xact_start as duration, pg_blocking_pids(pid) as blocked_by, left(query, 80) as query
from pg_stat_activity
where datname = current_database() and xact_start < now() - interval '1 minute'
order by xact_start;
-- end
