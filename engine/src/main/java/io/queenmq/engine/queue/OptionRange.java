package io.queenmq.engine.queue;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The values that an option of a queue can have.
 *
 * @param min the least value; 0 for a boolean
 * @param max the greatest value; 0 for a boolean
 * @param meanings values with a special meaning instead of a number of units, such as 0 for "no limit"
 */
public record OptionRange(Type type, long min, long max, Unit unit, Map<Long, String> meanings) {
    public OptionRange {
        meanings = Collections.unmodifiableMap(new TreeMap<>(meanings));
    }

    static OptionRange integers(long min, long max) {
        return new OptionRange(max > Integer.MAX_VALUE ? Type.BIGINT : Type.INTEGER, min, max, Unit.NONE, Map.of());
    }

    /** Whole numbers of seconds from 0. */
    static OptionRange seconds(int max) {
        return integers(0, max).in(Unit.SECONDS);
    }

    static OptionRange decimals(long min, long max) {
        return new OptionRange(Type.DECIMAL, min, max, Unit.NONE, Map.of());
    }

    static OptionRange booleans() {
        return new OptionRange(Type.BOOLEAN, 0, 0, Unit.NONE, Map.of());
    }

    OptionRange in(Unit unit) {
        return new OptionRange(type, min, max, unit, meanings);
    }

    OptionRange where(long value, String meaning) {
        Map<Long, String> more = new TreeMap<>(meanings);
        more.put(value, meaning);
        return new OptionRange(type, min, max, unit, more);
    }

    /** The types of the columns of {@code queen.queue}. */
    public enum Type {
        INTEGER(Integer.class, "integer"),
        BIGINT(Long.class, "integer"),
        DECIMAL(Double.class, "number"),
        BOOLEAN(Boolean.class, "boolean");

        private final Class<?> javaType;
        private final String jsonType;

        Type(Class<?> javaType, String jsonType) {
            this.javaType = javaType;
            this.jsonType = jsonType;
        }

        /** Returns the class of a value, as the driver returns it for the column. */
        public Class<?> javaType() {
            return javaType;
        }

        /** Returns the type of a value in a JSON schema. */
        public String jsonType() {
            return jsonType;
        }
    }

    /** The units of numbers. */
    public enum Unit {
        NONE(""),
        SECONDS("s"),
        MILLISECONDS("ms"),
        MESSAGES("messages");

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        /** Returns the symbol after a number; empty if there is no unit. */
        public String symbol() {
            return symbol;
        }
    }
}
