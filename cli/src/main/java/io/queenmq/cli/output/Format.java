package io.queenmq.cli.output;

/** What an answer is printed as. */
public enum Format {
    /** For people: what matters most. */
    TABLE,
    /** For people: everything that fits into a line. */
    WIDE,
    /** One document, indented. */
    JSON,
    /** A line for each thing, for programs that read them one by one. */
    NDJSON,
    YAML;

    boolean isForPeople() {
        return this == TABLE || this == WIDE;
    }
}
