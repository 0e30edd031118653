package io.queenmq.schema;

import java.util.List;

/**
 * One numbered step of the tables, of the catalog or of every shard. Once released it never changes, which the checksum
 * proves.
 */
record Migration(int number, String name, String checksum, String sql) {
    /** The number is what stands before the first underscore of the file's name. */
    static Migration from(Script script) {
        var number = script.name().substring(0, script.name().indexOf('_'));
        return new Migration(
                Integer.parseInt(number), script.name(), Sha256.of(List.of(script.text())), script.text());
    }

    private static final String SHARD = ":shard";
    private static final String BREAKING = "-- Breaking:";

    /** Whether it is applied once to each shard, instead of once to the database. */
    boolean isForShards() {
        return sql.contains(SHARD);
    }

    /** Whether servers of the release before it cannot work on the tables it leaves; its first line says so, and why. */
    boolean isBreaking() {
        return sql.startsWith(BREAKING);
    }

    /** Why servers of the release before it cannot go on, as its first line says. */
    String whyBreaking() {
        return sql.lines().findFirst().orElseThrow().substring(BREAKING.length()).strip();
    }

    /** The text for one shard. */
    String sqlFor(String shard) {
        return sql.replace(SHARD, shard);
    }
}
