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

    /** Returns true if releases that do not know this migration cannot work on the tables it leaves. Its first line declares it. */
    boolean isBreaking() {
        return sql.startsWith(BREAKING);
    }

    /** Returns the reason why the migration is breaking, from its first line; null if it is not breaking. */
    String whyBreaking() {
        return isBreaking() ? sql.lines().findFirst().orElseThrow().substring(BREAKING.length()).strip() : null;
    }

    /** The text for one shard. */
    String sqlFor(String shard) {
        return sql.replace(SHARD, shard);
    }
}
