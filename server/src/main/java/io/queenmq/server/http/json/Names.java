package io.queenmq.server.http.json;

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

    /** Returns true for a name that URLs use for a directory: a request for it would reach another route. */
    public static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }

    /** The same, but may be empty. */
    public static String requireText(String text, String field) {
        String problem = problemOf(text);
        if (problem != null) {
            throw new BadRequest(field + " " + problem);
        }
        return text;
    }

    /** What is wrong with the text, to be read after its name; null when nothing is. */
    public static String problemOf(String text) {
        // A character is one or two units, so only what is longer than this in units needs counting.
        if (text.length() > CHARACTERS_MAX && text.codePointCount(0, text.length()) > CHARACTERS_MAX) {
            return "must not be longer than " + CHARACTERS_MAX + " characters";
        }
        return unstorable(text);
    }

    /** The same for a text of any length. */
    public static String unstorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == 0) {
                return "must not contain the character NUL";
            }
            if (Character.isSurrogate(unit)) {
                if (Character.isLowSurrogate(unit) || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return "must not contain half a character (an unpaired surrogate)";
                }
                i++;
            }
        }
        return null;
    }
}
