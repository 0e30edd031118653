package io.queenmq.server.config;

import java.util.List;

/** The allowed values of a setting. */
sealed interface Values {
    /** Returns true if the text is an allowed value. */
    boolean accept(String text);

    /** Returns a description of the allowed values. */
    String range();

    static Values text() {
        return new Text();
    }

    static Values secret() {
        return new SecretText();
    }

    static Values flag() {
        return new Flag();
    }

    static Values whole(long min, long max) {
        return new Whole(min, max);
    }

    static Values decimal(double min, double max) {
        return new Decimal(min, max);
    }

    static Values oneOf(String... words) {
        return new OneOf(List.of(words));
    }

    /** Any text. */
    record Text() implements Values {
        @Override
        public boolean accept(String text) {
            return true;
        }

        @Override
        public String range() {
            return "any text";
        }
    }

    /** Any text that must not be shown. Problems never quote it, and it can be read from a file. */
    record SecretText() implements Values {
        @Override
        public boolean accept(String text) {
            return true;
        }

        @Override
        public String range() {
            return "any text (secret)";
        }
    }

    /** True for exactly {@code true}. Every other text is false, for compatibility with the existing Queen server. */
    record Flag() implements Values {
        @Override
        public boolean accept(String text) {
            return true;
        }

        @Override
        public String range() {
            return "`true`, anything else is false";
        }
    }

    /** A whole number. */
    record Whole(long min, long max) implements Values {
        @Override
        public boolean accept(String text) {
            try {
                long number = Long.parseLong(text);
                return number >= min && number <= max;
            } catch (NumberFormatException _) {
                return false;
            }
        }

        @Override
        public String range() {
            return min + " to " + max;
        }
    }

    /** A decimal number. */
    record Decimal(double min, double max) implements Values {
        @Override
        public boolean accept(String text) {
            try {
                double number = Double.parseDouble(text);
                return number >= min && number <= max;
            } catch (NumberFormatException _) {
                return false;
            }
        }

        @Override
        public String range() {
            return min + " to " + max;
        }
    }

    /** One word of a list. */
    record OneOf(List<String> words) implements Values {
        @Override
        public boolean accept(String text) {
            return words.contains(text);
        }

        @Override
        public String range() {
            return String.join(", ", words);
        }
    }
}
