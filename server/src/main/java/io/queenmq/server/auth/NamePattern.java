package io.queenmq.server.auth;

/**
 * A pattern for names, in which {@code *} matches any number of any characters, including slashes. Everything else is compared
 * character by character: upper and lower case differ, and so do different encodings of a letter.
 */
record NamePattern(String text) {
    private static final char ANY = '*';

    /** A character that PostgreSQL cannot store and that therefore is in no name. */
    private static final char OF_NO_NAME = 0;

    boolean isEverything() {
        return text.chars().allMatch(character -> character == ANY) && !text.isEmpty();
    }

    /** Compares in steps that grow with the product of both lengths at most. */
    boolean matches(String name) {
        int at = 0;
        int place = 0;
        int star = -1;
        int retry = 0;
        while (place < name.length()) {
            if (at < text.length() && text.charAt(at) == ANY) {
                star = at++;
                retry = place;
            } else if (at < text.length() && text.charAt(at) == name.charAt(place)) {
                at++;
                place++;
            } else if (star >= 0) {
                at = star + 1;
                place = ++retry;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == ANY) {
            at++;
        }
        return at == text.length();
    }

    /**
     * Returns true if every name that matches the other pattern matches this one. A character that is in no name replaces
     * each star of the other pattern: only a star of this pattern matches it, and that star matches anything else, too.
     */
    boolean covers(NamePattern other) {
        return matches(other.text.replace(ANY, OF_NO_NAME));
    }
}
