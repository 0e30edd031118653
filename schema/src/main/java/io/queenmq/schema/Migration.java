package io.queenmq.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A numbered change of tables, of the catalog or of every shard. A released migration never changes; the checksum
 * verifies this.
 */
record Migration(int number, String name, String checksum, String sql) {
    /** Parses a migration; its number precedes the first underscore in the name of the file. */
    static Migration from(Script script) {
        var number = script.name().substring(0, script.name().indexOf('_'));
        return new Migration(Integer.parseInt(number), script.name(), Sha256.of(List.of(script.text())), script.text());
    }

    private static final String SHARD = ":shard";
    private static final String BREAKING = "-- Breaking:";

    /** Returns true if it is applied to each shard, instead of once to the database. */
    boolean isForShards() {
        return sql.contains(SHARD);
    }

    /** Returns true if older releases cannot use the tables after this migration. Its first line declares it. */
    boolean isBreaking() {
        return sql.startsWith(BREAKING);
    }

    /** Returns the reason why the migration is breaking, from its first line; null if it is not breaking. */
    @Nullable
    String breakingReason() {
        return isBreaking() ? sql.lines().findFirst().orElseThrow().substring(BREAKING.length()).strip() : null;
    }

    /** Returns the SQL for one shard. */
    String sqlFor(String shard) {
        return sql.replace(SHARD, shard);
    }
}
