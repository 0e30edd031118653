package io.queenmq.cli.output;

import java.util.Locale;
import java.util.function.Function;

/**
 * One field of a thing: a column of tables, a field of JSON and YAML.
 *
 * @param name the field's name; the column's title is made from it
 * @param shownIn where people see it
 */
public record Column<T>(String name, ShownIn shownIn, Function<? super T, ?> value) {
    /** The smallest format for people that has the column. */
    public enum ShownIn {
        TABLE,
        WIDE,
        /** In JSON and YAML only. */
        DATA
    }

    public static <T> Column<T> of(String name, Function<? super T, ?> value) {
        return new Column<>(name, ShownIn.TABLE, value);
    }

    public static <T> Column<T> wide(String name, Function<? super T, ?> value) {
        return new Column<>(name, ShownIn.WIDE, value);
    }

    public static <T> Column<T> data(String name, Function<? super T, ?> value) {
        return new Column<>(name, ShownIn.DATA, value);
    }

    boolean isIn(Format format) {
        return switch (shownIn) {
            case TABLE -> true;
            case WIDE -> format != Format.TABLE;
            case DATA -> !format.isForPeople();
        };
    }

    String title() {
        return words(name).toUpperCase(Locale.ROOT);
    }

    /** The name as words: {@code oldestUnreadSeconds} is the oldest unread, because people are shown the unit with the value. */
    static String words(String name) {
        return name.replaceAll("Seconds$", "").replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    }
}
