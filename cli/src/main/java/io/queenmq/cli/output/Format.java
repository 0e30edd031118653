package io.queenmq.cli.output;

/** The output formats. */
public enum Format {
    /** A table of the most important fields. */
    TABLE,
    /** A table of all fields that fit into a line. */
    WIDE,
    /** One indented document. */
    JSON,
    /** One line per object, for programs that read a stream. */
    NDJSON,
    YAML;

    boolean isTable() {
        return this == TABLE || this == WIDE;
    }
}
