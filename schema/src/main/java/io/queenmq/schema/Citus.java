package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the tables are on a Citus cluster: the catalog on every node, each shard on the node that Citus chooses. Citus moves
 * shards later as it is told; nothing here cares where one is. On a plain PostgreSQL there is nothing to place.
 */
final class Citus {
    private static final Logger log = LoggerFactory.getLogger(Citus.class);

    private static final String IS_THERE = "select exists (select from pg_extension where extname = 'citus')";

    /**
     * Makes the tables of the catalog that are not on every node yet reference tables, those that others refer to first. Three
     * stay where they are: what is installed is for the coordinator to know, and commitments are kept in the transactions
     * of programs that are connected to it, by a trigger, which reference tables cannot have.
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

    /** Nodes that compile statements of a certain size, which Citus has them plan. */
    private static final String COMPILING = """
            select nodename || ':' || nodeport from run_command_on_workers('show jit') where success and result = 'on'""";

    private final Connection connection;

    private Citus(Connection connection) {
        this.connection = connection;
    }

    /**
     * @param shards of the database; one shard is not worth a node of its own
     * @return null where there is nothing to place
     */
    static Citus of(Connection connection, Shards shards, CitusUse use) throws SQLException {
        return use != CitusUse.OFF && shards.count() > 1 && isThere(connection) ? new Citus(connection) : null;
    }

    /** @throws SchemaException when the extension has to be there and is not */
    static void check(Connection connection, CitusUse use) throws SQLException {
        if (use == CitusUse.REQUIRED && !isThere(connection)) {
            throw new SchemaException("This database has no Citus extension, and QUEEN_CITUS=required asks for it. Run"
                    + " CREATE EXTENSION citus in it on every node and add the workers with citus_add_node, or start without"
                    + " QUEEN_CITUS.");
        }
    }

    /** Whether any shard is on a node of its own, which it stays whatever is said later. */
    static boolean isAnyPlaced(Connection connection) throws SQLException {
        return isThere(connection) && isTrue(connection, PLACED);
    }

    static boolean isThere(Connection connection) throws SQLException {
        return isTrue(connection, IS_THERE);
    }

    private static boolean isTrue(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(query)) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /**
     * Removes the views through which sessions on the nodes work on the tables of a shard: they would keep these tables from
     * being changed. Sessions go through Citus until the views are there again, which the next session that is opened sees to.
     */
    static void dropLocalViews(Connection connection, String shard) throws SQLException {
        if (isAnyPlaced(connection)) {
            execute(connection, "select run_command_on_workers('drop schema if exists " + shard + "_local cascade')");
        }
    }

    /** Says what is worth changing on the nodes. */
    static void advise(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(COMPILING)) {
            while (rows.next()) {
                log.warn(
                        "PostgreSQL at {} compiles statements, which takes a second for counts that take milliseconds: set jit = off"
                                + " there, for this database at least",
                        rows.getString(1));
            }
        }
    }

    /** The next shard that is not on a node of its own yet; null when all are. */
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
