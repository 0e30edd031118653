package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places the tables on a Citus cluster: the catalog on every node, each shard on a node that Citus chooses. Operators may move
 * shards later; this class does not depend on their location. On a plain PostgreSQL there is nothing to place.
 */
final class Citus {
    private static final Logger log = LoggerFactory.getLogger(Citus.class);

    private static final String IS_INSTALLED = "select exists (select from pg_extension where extname = 'citus')";

    /**
     * Makes the tables of the catalog that are not on every node yet reference tables, referenced tables first. Three tables
     * stay on the coordinator: the records of migrations and routine sets, which only installations read, and
     * {@code commitment}, whose trigger is not possible on reference tables.
     */
    private static final String PLACE_CATALOG = """
            do $$
            declare
                name text;
            begin
                foreach name in array array(
                    select c.relname
                    from pg_class c
                    where c.relnamespace = 'queen'::regnamespace
                      and c.relkind = 'r'
                      and c.relname not in ('migration', 'routine_set', 'commitment')
                    order by exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'), c.relname)
                loop
                    if not exists (
                        select from pg_dist_partition p
                        where p.logicalrelid = format('queen.%I', name)::regclass and p.partmethod = 'n' and p.repmodel = 't')
                    then
                        perform create_reference_table(format('queen.%I', name)::regclass);
                    end if;
                end loop;
            end
            $$""";

    private static final String PLACED = """
            select exists (
                select from queen.shard s join pg_dist_schema d on d.schemaid = to_regnamespace(s.name))""";

    private static final String UNPLACED = """
            select s.name
            from queen.shard s
            where not exists (select from pg_dist_schema d where d.schemaid = to_regnamespace(s.name))
            order by s.number""";

    /** The nodes with jit = on, which compile large statements. */
    private static final String COMPILING = """
            select nodename || ':' || nodeport from run_command_on_workers('show jit') where success and result = 'on'""";

    private final Connection connection;

    private Citus(Connection connection) {
        this.connection = connection;
    }

    /**
     * @param shards of the database; a single shard is not placed on a node
     * @return null if there is nothing to place
     */
    static @Nullable Citus of(Connection connection, Shards shards, CitusUse use) throws SQLException {
        return use != CitusUse.OFF && shards.count() > 1 && isInstalled(connection) ? new Citus(connection) : null;
    }

    /** @throws SchemaException if the extension is required and missing */
    static void check(Connection connection, CitusUse use) throws SQLException {
        if (use == CitusUse.REQUIRED && !isInstalled(connection)) {
            throw new SchemaException("This database has no Citus extension, and QUEEN_CITUS=required asks for it. Run"
                    + " CREATE EXTENSION citus in it on every node and add the workers with citus_add_node, or start without"
                    + " QUEEN_CITUS.");
        }
    }

    /** Returns true if any shard is placed on a node. It stays there, also with {@link CitusUse#OFF}. */
    static boolean isAnyPlaced(Connection connection) throws SQLException {
        return isInstalled(connection) && isTrue(connection, PLACED);
    }

    static boolean isInstalled(Connection connection) throws SQLException {
        return isTrue(connection, IS_INSTALLED);
    }

    private static boolean isTrue(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(query)) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /**
     * Drops the views through which sessions on the nodes use the tables of a shard: they would block changes of these tables.
     * Sessions use Citus until the next new session creates the views again.
     */
    static void dropLocalViews(Connection connection, String shard) throws SQLException {
        if (isAnyPlaced(connection)) {
            execute(connection, "select run_command_on_workers('drop schema if exists " + shard + "_local cascade')");
        }
    }

    /** Logs a warning for each node whose settings slow calls down. */
    static void advise(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(COMPILING)) {
            while (rows.next()) {
                log.warn(
                        "jit is on at PostgreSQL {}, so counts that take milliseconds take a second; set jit = off for this database"
                                + " on that node",
                        rows.getString(1));
            }
        }
    }

    /** Returns the next shard that is not placed on a node; null if all are. */
    @Nullable
    String nextUnplaced() throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(UNPLACED)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    void placeCatalog() throws SQLException {
        execute(connection, PLACE_CATALOG);
    }

    void place(String shard) throws SQLException {
        execute(connection, "select citus_schema_distribute('" + shard + "')");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }
}
