package io.queenmq.schema;

import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What the database has already: the migrations applied, ascending, the routine sets, last used first, and the number of its
 * shards, 0 before there are any.
 */
record Present(boolean isPrepared, List<Applied> migrations, List<String> routineSets, int shards) {
    private static final String SQL = """
            select array(select number from queen.migration order by number),
                   array(select name from queen.migration order by number),
                   array(select checksum from queen.migration order by number),
                   array(select name from queen.routine_set
                         where to_regnamespace(name) is not null
                         order by used_at desc, name)""";

    private static final String SHARDS = "select count(*) from queen.shard";

    /** Three queries at most, and nothing but queries. */
    static Present load(Connection connection) throws SQLException {
        var facts = ServerFacts.load(connection);
        facts.requireUsable();
        if (!facts.isPrepared()) {
            return new Present(false, List.of(), List.of(), 0);
        }
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(SQL)) {
            rows.next();
            return new Present(true, applied(rows), List.of((String[]) array(rows, 4)),
                    facts.hasShards() ? shards(connection) : 0);
        }
    }

    private static int shards(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(SHARDS)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** How many shards the database has, or gets; refuses another number than it was made with. */
    Shards shards(OptionalInt wanted) {
        if (shards == 0) {
            return new Shards(wanted.orElse(1));
        }
        if (wanted.isPresent() && wanted.getAsInt() != shards) {
            throw new SchemaException("This database was made with " + shards + (shards == 1 ? " shard" : " shards")
                    + ", and QUEEN_SHARDS says "
                    + wanted.getAsInt() + ". The number is fixed when a database is first set up: set QUEEN_SHARDS="
                    + shards + ", or leave it out.");
        }
        return new Shards(shards);
    }

    /** The migrations that are still to be applied; refuses a database that is not an earlier state of this release. */
    List<Migration> pending(Release release) {
        var known = release.migrations();
        if (migrations.size() > known.size()) {
            throw new SchemaException("This database is at migration " + migrations.getLast().name()
                    + ", and this release of Queen knows no further than " + known.getLast().name()
                    + ". A newer release has been here: start that one.");
        }
        for (int i = 0; i < migrations.size(); i++) {
            migrations.get(i).requireSameAs(known.get(i));
        }
        return known.subList(migrations.size(), known.size());
    }

    boolean has(RoutineSet routines) {
        return routineSets.contains(routines.name());
    }

    boolean usedLast(RoutineSet routines) {
        return !routineSets.isEmpty() && routineSets.getFirst().equals(routines.name());
    }

    /** All sets but the wanted one and the one that was in use before it: a server of that release may still run. */
    List<String> obsolete(RoutineSet wanted) {
        return routineSets.stream().filter(name -> !name.equals(wanted.name())).skip(1).toList();
    }

    private static List<Applied> applied(ResultSet rows) throws SQLException {
        var numbers = (Integer[]) array(rows, 1);
        var names = (String[]) array(rows, 2);
        var checksums = (String[]) array(rows, 3);
        var applied = new ArrayList<Applied>();
        for (int i = 0; i < numbers.length; i++) {
            applied.add(new Applied(numbers[i], names[i], checksums[i]));
        }
        return applied;
    }

    private static Object array(ResultSet rows, int column) throws SQLException {
        Array array = rows.getArray(column);
        return array.getArray();
    }

    /** A migration as the database recorded it. */
    record Applied(int number, String name, String checksum) {
        void requireSameAs(Migration migration) {
            if (number != migration.number() || !checksum.equals(migration.checksum())) {
                throw new SchemaException(
                        "Migration " + name + " was applied to this database with checksum " + checksum
                                + ", and this release of Queen has " + migration.name() + " with checksum "
                                + migration.checksum() + ". A migration must not change once it was applied.");
            }
        }
    }
}
