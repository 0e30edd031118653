package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.HostileDefaults;
import io.queenmq.testkit.TestPostgres;
import java.sql.SQLException;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Defaults of the database do not affect the installer. */
class HostileDefaultsTest {
    @RegisterExtension
    static final DatabasePerTest fresh = DatabasePerTest.empty();

    private static final String DEFINITIONS = """
            select d.text from (
                select format('%s.%s %s %s', c.relnamespace::regnamespace, c.relname, a.attname, pg_get_expr(x.adbin, x.adrelid)) as text
                from pg_attribute a
                join pg_class c on c.oid = a.attrelid
                left join pg_attrdef x on x.adrelid = c.oid and x.adnum = a.attnum
                where c.relnamespace in ('queen'::regnamespace, 'queen_00'::regnamespace) and a.attnum > 0
                union all
                select pg_get_functiondef(p.oid) from pg_proc p
                where starts_with(p.pronamespace::regnamespace::text, 'queen')
                union all
                select pg_get_viewdef(v.oid) from pg_class v
                where v.relnamespace = 'queen'::regnamespace and v.relkind = 'v'
            ) d order by 1""";

    @Test
    void theSchemaIsTheSameAsWithoutThem() throws SQLException {
        HostileDefaults.set(fresh.database());
        // This session is opened without settings of its own, and must live until the installer sets them.
        HostileDefaults.set(fresh.database(), "idle_session_timeout", "10s");

        try (var installer = fresh.database().connect()) {
            // No statement of a migration is that fast. As a default of the database it would also end the login on a busy machine.
            Rows.execute(installer, "set statement_timeout = 1");
            Schema.install(installer, OptionalInt.of(3));
            assertThat(Schema.install(installer).shards().count()).isEqualTo(3);
        }

        HostileDefaults.reset(fresh.database());
        try (var other = TestPostgres.shared().createDatabase(); var plain = other.connect()) {
            Schema.install(plain, OptionalInt.of(3));
            assertThat(Rows.strings(fresh.connection(), DEFINITIONS)).isEqualTo(Rows.strings(plain, DEFINITIONS));
        }
    }
}
