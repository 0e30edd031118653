package io.queenmq.schema;

import java.util.List;

/** One numbered step of the tables. Once released it never changes, which the checksum proves. */
record Migration(int number, String name, String checksum, String sql) {
    /** The number is what stands before the first underscore of the file's name. */
    static Migration from(Script script) {
        var number = script.name().substring(0, script.name().indexOf('_'));
        return new Migration(
                Integer.parseInt(number), script.name(), Sha256.of(List.of(script.text())), script.text());
    }
}
