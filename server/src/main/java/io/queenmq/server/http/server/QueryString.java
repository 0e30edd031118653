package io.queenmq.server.http.server;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request. If a name occurs several times, the first value counts. */
public final class QueryString {
    private static final QueryString EMPTY = new QueryString(List.of());

    /** Each name, followed by its value. */
    private final List<String> parts;

    private QueryString(List<String> parts) {
        this.parts = parts;
    }

    /**
     * Parses the part of a URL after the question mark.
     *
     * @param query null if the URL has no question mark
     * @throws io.queenmq.server.http.json.BadRequest if an escape is incomplete or the decoded text is not UTF-8, also in a
     *         parameter that the route does not have
     */
    public static QueryString parse(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return EMPTY;
        }
        List<String> parts = new ArrayList<>();
        int start = 0;
        while (start < query.length()) {
            int end = query.indexOf('&', start);
            end = end < 0 ? query.length() : end;
            int equals = query.indexOf('=', start);
            if (equals < 0 || equals > end) {
                equals = end;
            }
            parts.add(PercentDecoder.ofQuery(query.substring(start, equals)));
            parts.add(PercentDecoder.ofQuery(query.substring(Math.min(equals + 1, end), end)));
            start = end + 1;
        }
        return new QueryString(parts);
    }

    /** Returns the value of a parameter; empty if the query does not have it. */
    public String text(String name) {
        for (int i = 0; i < parts.size(); i += 2) {
            if (parts.get(i).equals(name)) {
                return parts.get(i + 1);
            }
        }
        return "";
    }

    /** Returns true if the value is {@code true} or {@code 1}. */
    public boolean flag(String name) {
        String text = text(name);
        return text.equals("true") || text.equals("1");
    }

    /** Returns the value; null if it is missing or empty. */
    public @Nullable String textOrNull(String name) {
        String text = text(name);
        return text.isEmpty() ? null : text;
    }

    /** Returns the default if the value is missing or not an integer: a consumer stops when a pop is rejected. */
    public int integer(String name, int defaultValue) {
        String text = text(name);
        if (text.isEmpty()) {
            // The usual case: avoids the cost of an exception.
            return defaultValue;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            return defaultValue;
        }
    }
}
