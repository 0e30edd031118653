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

    /** Whether it is applied once to each shard, instead of once to the database. */
    boolean isForShards() {
        return sql.contains(SHARD);
    }

    /** The text for one shard. */
    String sqlFor(String shard) {
        return sql.replace(SHARD, shard);
    }
}
