package io.queenmq.server.http.server;

import io.queenmq.server.http.json.Names;
import java.util.Arrays;

/** The path of a request, split at its slashes; its names are decoded after that, so that they may contain slashes. */
public record RequestPath(String[] segments) {
    static final RequestPath ROOT = new RequestPath(new String[0]);

    private static final int SEGMENTS_USUAL = 8;

    /** Splits a path. One slash at the end is ignored. */
    static RequestPath of(String path) {
        String[] segments = new String[SEGMENTS_USUAL];
        int count = 0;
        int start = 1;
        while (start < path.length()) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            if (count == segments.length) {
                segments = Arrays.copyOf(segments, 2 * count);
            }
            segments[count++] = path.substring(start, end);
            start = end + 1;
        }
        return new RequestPath(Arrays.copyOf(segments, count));
    }

    /**
     * Returns true if a segment is empty, or the path ends with a slash. Such a path may be a mistake for a shorter or
     * longer one.
     */
    static boolean hasEmptySegment(String path) {
        return path.length() > 1 && (path.endsWith("/") || path.contains("//"));
    }

    /** Returns true if a segment is {@code .} or {@code ..}. Proxies and browsers resolve such paths differently. */
    boolean hasDots() {
        for (String segment : segments) {
            if (Names.isDots(segment)) {
                return true;
            }
        }
        return false;
    }

    public String decoded(int segment) {
        return PercentDecoder.ofPath(segments[segment]);
    }
}
