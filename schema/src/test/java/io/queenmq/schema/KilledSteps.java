package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Repeats work while PostgreSQL ends the session at its first writing statement, then at its second one, and so on,
 * until the work succeeds. After each end, everything must be rolled back in every shard.
 */
record KilledSteps(SchemaDatabase database) {
    /** Counts the writing statements of a session, and ends the session before the given one. */
    private static final String STEP = """
            create function public.step() returns trigger language plpgsql as $$
            declare
                number int := coalesce(nullif(current_setting('step.number', true), ''), '0')::int + 1;
            begin
                perform set_config('step.number', number::text, false);
                if number = nullif(current_setting('step.last', true), '')::int then
                    perform pg_terminate_backend(pg_backend_pid());
                    perform pg_sleep(60);
                end if;
                return null;
            end
            $$""";

    private static final String TABLES = """
            select format('%I.%I', n.nspname, t.relname)
            from pg_class t join pg_namespace n on n.oid = t.relnamespace
            where t.relkind = 'r' and (n.nspname = 'queen' or n.nspname in (select s.name from queen.shard s))
            order by 1""";

    /** @return the number of steps until success */
    int play(Consumer<Api> work) {
        watch();
        var before = everything();
        for (int step = 1;; step++) {
            var session = database.newSession();
            session.execute("set step.last = " + step);
            try {
                work.accept(session);
                return step - 1;
            } catch (Rows.SqlFailure e) {
                assertThat(e.state()).as("step %d: %s", step, e.getMessage()).isEqualTo("57P01");
                assertThat(everything()).as("after the session was ended at step %d", step).isEqualTo(before);
            }
        }
    }

    /** Called once per database. */
    private void watch() {
        var api = database.api();
        if (!Rows.strings(api.connection(), "select 'watched' where to_regproc('public.step') is not null").isEmpty()) {
            return;
        }
        api.execute(STEP);
        tables().forEach(table -> api.execute("create trigger step before insert or update or delete on " + table
                + " for each statement execute function public.step()"));
    }

    /** Returns the contents of every table of the catalog and of the shards. */
    private List<String> everything() {
        return Rows.strings(database.api().connection(),
                tables().stream().map(table -> "select '" + table + " ' || x::text from " + table + " x")
                        .collect(Collectors.joining(" union all ", "", " order by 1")));
    }

    private List<String> tables() {
        return Rows.strings(database.api().connection(), TABLES);
    }
}
