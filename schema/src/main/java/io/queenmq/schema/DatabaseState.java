package io.queenmq.schema;

import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The installed state of a database.
 *
 * @param migrations the applied migrations, ascending
 * @param routineSets the routine sets, last used first
 * @param shards the number of shards, 0 before they are created
 */
record DatabaseState(boolean isPrepared, List<Applied> migrations, List<InstalledSet> routineSets, int shards) {
    private static final String SQL = """
            select array(select number from queen.migration order by number),
                   array(select name from queen.migration order by number),
                   array(select checksum from queen.migration order by number),
                   -- Databases of earlier releases do not have these columns yet.
                   array(select to_jsonb(m) ->> 'breaking' from queen.migration m order by m.number),
                   array(select to_jsonb(m) ->> 'release' from queen.migration m order by m.number),
                   array(select r.name from queen.routine_set r order by r.used_at desc, r.name),
                   array(select (select count(*) from pg_proc p where p.pronamespace = to_regnamespace(r.name))
                         from queen.routine_set r order by r.used_at desc, r.name)""";

    private static final String OTHER_MIGRATIONS = "The database was set up by a build with other migrations, and cannot"
            + " be upgraded: migrations never change after a release. Use the build that set it up, or an empty"
            + " database.";

    private static final String SHARDS = "select count(*) from queen.shard";

    /** Loads the state with at most three queries; writes nothing. */
    static DatabaseState load(Connection connection) throws SQLException {
        var facts = ServerFacts.load(connection);
        facts.requireUsable();
        if (!facts.isPrepared()) {
            return new DatabaseState(false, List.of(), List.of(), 0);
        }
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(SQL)) {
            rows.next();
            return new DatabaseState(true, applied(rows), routineSets(rows),
                    facts.hasShards() ? shards(connection) : 0);
        }
    }

    private static int shards(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(SHARDS)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Returns the shards of the database, or of a new one. Another number than the present one is rejected. */
    Shards shards(OptionalInt requested) {
        if (shards == 0) {
            return new Shards(requested.orElse(1));
        }
        if (requested.isPresent() && requested.getAsInt() != shards) {
            throw new SchemaException("This database was created with " + shards + (shards == 1 ? " shard" : " shards")
                    + ", and QUEEN_SHARDS is " + requested.getAsInt()
                    + ". The number cannot be changed later: set QUEEN_SHARDS=" + shards + ", or leave it out.");
        }
        return new Shards(shards);
    }

    /**
     * Returns the migrations that are still to be applied. Migrations of a newer release are tolerated unless they are
     * breaking.
     *
     * @throws SchemaException if this release cannot use the database, with the reason
     */
    List<Migration> pending(Release release) {
        var known = release.migrations().stream().collect(Collectors.toMap(Migration::number, Function.identity()));
        var newer = newerThan(release);
        for (var applied : migrations) {
            if (!newer.contains(applied)) {
                applied.requireKnown(known.get(applied.number()), release);
            }
        }
        for (var applied : newer) {
            applied.requireNotBreaking(release);
        }
        var numbers = migrations.stream().map(Applied::number).toList();
        var pending = release.migrations().stream().filter(migration -> !numbers.contains(migration.number())).toList();
        if (!pending.isEmpty() && !newer.isEmpty()) {
            throw new SchemaException(
                    "This database has migration " + newer.getLast().name() + ", which this release of Queen ("
                            + Release.version() + ") does not know, and lacks migration " + pending.getFirst().name()
                            + " of this release: a release of another line was installed here. Start" + " release "
                            + newer.getLast().release() + " or newer.");
        }
        return pending;
    }

    /** Returns true if a newer release has applied migrations that this release does not know. */
    boolean isAheadOf(Release release) {
        return !newerThan(release).isEmpty();
    }

    private List<Applied> newerThan(Release release) {
        return migrations.stream().filter(applied -> applied.number() > release.newest().number()).toList();
    }

    /** Returns true if the database has all routines of the set. */
    boolean has(RoutineSet routines) {
        return routineSets.stream().anyMatch(set -> set.isAllOf(routines));
    }

    /** Returns true if the set is the one that {@code queen.push} and {@code queen.ack} call, and has all its routines. */
    boolean isLastUsed(RoutineSet routines) {
        return !routineSets.isEmpty() && routineSets.getFirst().isAllOf(routines);
    }

    private static List<InstalledSet> routineSets(ResultSet rows) throws SQLException {
        var names = (String[]) array(rows, 6);
        var counts = (Long[]) array(rows, 7);
        return IntStream.range(0, names.length).mapToObj(i -> new InstalledSet(names[i], counts[i])).toList();
    }

    private static List<Applied> applied(ResultSet rows) throws SQLException {
        var numbers = (Integer[]) array(rows, 1);
        var names = (String[]) array(rows, 2);
        var checksums = (String[]) array(rows, 3);
        var breaking = (String[]) array(rows, 4);
        var releases = (String[]) array(rows, 5);
        var applied = new ArrayList<Applied>();
        for (int i = 0; i < numbers.length; i++) {
            applied.add(new Applied(numbers[i], names[i], checksums[i], breaking[i], releases[i]));
        }
        return applied;
    }

    private static Object array(ResultSet rows, int column) throws SQLException {
        Array array = rows.getArray(column);
        return array.getArray();
    }

    /**
     * A routine set in the database.
     *
     * @param routineCount 0 if its schema is missing
     */
    record InstalledSet(String name, long routineCount) {
        boolean isAllOf(RoutineSet routines) {
            return name.equals(routines.name()) && routineCount >= routines.statements().size();
        }
    }

    /**
     * A migration as the database recorded it.
     *
     * @param breaking why older releases cannot use the database after the migration; null if they can
     * @param release the release that applied it; null if an older release did not record itself
     */
    record Applied(int number, String name, String checksum, @Nullable String breaking, @Nullable String release) {
        /** @param migration of this release with the same number; null if there is none */
        void requireKnown(@Nullable Migration migration, Release release) {
            if (migration == null) {
                throw new SchemaException("This database has migration " + name + ", which this release of Queen ("
                        + Release.version() + ") does not contain, although it contains " + release.newest().name()
                        + ". " + OTHER_MIGRATIONS);
            }
            if (!checksum.equals(migration.checksum())) {
                throw new SchemaException("Migration " + name + " was applied to this database with checksum "
                        + checksum + ", and this release of Queen (" + Release.version() + ") has " + migration.name()
                        + " with checksum " + migration.checksum() + ". " + OTHER_MIGRATIONS);
            }
        }

        void requireNotBreaking(Release release) {
            if (breaking != null) {
                throw new SchemaException("A newer release has applied migration " + name
                        + " to this database, and this release of Queen (" + Release.version() + ", up to migration "
                        + release.newest().name() + ") cannot work with it: " + breaking + " Start release "
                        + this.release + " or newer.");
            }
        }
    }
}
