package io.queenmq.cli.output;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object: a column in tables, a field in JSON and YAML.
 *
 * @param name name of the field, from which the title of the column is derived
 * @param shownIn smallest output format that contains the column
 */
public record Column<T>(String name, ShownIn shownIn, Function<? super T, ? extends @Nullable Object> value) {
    /** The smallest output format that contains a column. */
    public enum ShownIn {
        TABLE,
        WIDE,
        /** Only JSON and YAML. */
        DATA
    }

    public static <T> Column<T> of(String name, Function<? super T, ? extends @Nullable Object> value) {
        return new Column<>(name, ShownIn.TABLE, value);
    }

    public static <T> Column<T> wide(String name, Function<? super T, ? extends @Nullable Object> value) {
        return new Column<>(name, ShownIn.WIDE, value);
    }

    public static <T> Column<T> data(String name, Function<? super T, ? extends @Nullable Object> value) {
        return new Column<>(name, ShownIn.DATA, value);
    }

    boolean isIn(Format format) {
        return switch (shownIn) {
            case TABLE -> true;
            case WIDE -> format != Format.TABLE;
            case DATA -> !format.isTable();
        };
    }

    String title() {
        return words(name).toUpperCase(Locale.ROOT);
    }

    /** Returns the name as words. The unit {@code Seconds} is removed, because tables contain the unit in the value. */
    static String words(String name) {
        return name.replaceAll("Seconds$", "").replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    }
}
