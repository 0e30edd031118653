package io.queenmq.server.http.json;

import org.jspecify.annotations.Nullable;

/** The rules for names of queues, partitions and groups, and for transactionIds. */
public final class Names {
    public static final int CHARACTERS_MAX = 255;

    private Names() {}

    public static String requireQueue(String name, String field) {
        requireName(name, field);
        if (name.indexOf('/') >= 0) {
            throw new BadRequest(field + " must not contain '/'");
        }
        return name;
    }

    public static String requireName(String name, String field) {
        if (name.isEmpty()) {
            throw new BadRequest(field + " must not be empty");
        }
        if (isDots(name)) {
            throw new BadRequest(
                    field + " must not be \"" + name + "\", because browsers remove it from the path of a URL");
        }
        return requireText(name, field);
    }

    /**
     * Returns true for {@code .} and {@code ..}, which URLs use for directories: a request with such a name would reach
     * another route.
     */
    public static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }

    /** Returns the text. It may be empty; otherwise the rules of names apply. */
    public static String requireText(String text, String field) {
        String problem = problemOf(text);
        if (problem != null) {
            throw new BadRequest(field + " " + problem);
        }
        return text;
    }

    /** Returns the problem of the text, to be appended to its name; null if the text is valid. */
    public static @Nullable String problemOf(String text) {
        // A character has one or two units, so a text with at most this many units needs no counting.
        if (text.length() > CHARACTERS_MAX && text.codePointCount(0, text.length()) > CHARACTERS_MAX) {
            return "must not be longer than " + CHARACTERS_MAX + " characters";
        }
        return unstorable(text);
    }

    /** Same as {@link #problemOf} for a text of any length. */
    public static @Nullable String unstorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == 0) {
                return "must not contain the character NUL";
            }
            if (Character.isSurrogate(unit)) {
                if (Character.isLowSurrogate(unit) || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return "must not contain an unpaired surrogate";
                }
                i++;
            }
        }
        return null;
    }
}
