package io.queenmq.server.http.server;

import java.util.ArrayList;
import java.util.List;

/** The parameters of a request. Of one given several times the first counts. */
public final class QueryString {
    private static final QueryString EMPTY = new QueryString(List.of());

    /** Names and values in turn. */
    private final List<String> parts;

    private QueryString(List<String> parts) {
        this.parts = parts;
    }

    /** @param query what is behind the question mark; null when there is none */
    public static QueryString parse(String query) {
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

    /** Empty when it is not given. */
    public String text(String name) {
        for (int i = 0; i < parts.size(); i += 2) {
            if (parts.get(i).equals(name)) {
                return parts.get(i + 1);
            }
        }
        return "";
    }

    public boolean flag(String name) {
        String text = text(name);
        return text.equals("true") || text.equals("1");
    }

    /** The default also stands for what is not a number: consumers end themselves when a pop is refused. */
    public int integer(String name, int standard) {
        String text = text(name);
        if (text.isEmpty()) {
            // Usual, and an exception is dear.
            return standard;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            return standard;
        }
    }
}
