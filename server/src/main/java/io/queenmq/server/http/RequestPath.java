package io.queenmq.server.http;

/** The path of a request, split at its slashes; the names in it are decoded after that, so they may contain one. */
record RequestPath(String[] segments) {
    static RequestPath of(String path) {
        // The limit keeps empty segments at the end, which are names that are missing.
        return new RequestPath(path.substring(1).split("/", -1));
    }

    String decoded(int segment) {
        return PercentDecoder.ofPath(segments[segment]);
    }

    int length() {
        return segments.length;
    }
}
