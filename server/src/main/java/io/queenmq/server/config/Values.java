package io.queenmq.server.config;

import java.util.List;

/** What a setting may be set to. */
sealed interface Values {
    /** Whether the text is such a value. */
    boolean accept(String text);

    /** The range in words. */
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

    /** Any text that must not be seen. Problems never quote it, and it can be read from a file. */
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

    /** True for exactly {@code true}; every other text is false, as it always was in Queen. */
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

    /** A number, whole or not. */
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

    /** One of a few words. */
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
