package io.queenmq.client.wire;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The rules for names of queues, partitions and groups. The client checks them, so that an invalid name fails at its
 * cause.
 */
public final class Names {
    private static final int CHARACTERS_MAX = 255;

    private Names() {}

    public static String requireQueue(@Nullable String name) {
        String queue = require(name, "queue");
        if (queue.indexOf('/') >= 0) {
            throw new IllegalArgumentException("queue must not contain '/', but is '" + name + "'");
        }
        return queue;
    }

    /** @param what the kind of name, for the error */
    public static String require(@Nullable String name, String what) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        if (name.codePointCount(0, name.length()) > CHARACTERS_MAX) {
            throw new IllegalArgumentException(what + " must not be longer than " + CHARACTERS_MAX + " characters");
        }
        if (name.codePoints().anyMatch(each -> each == 0 || each >= 0xd800 && each <= 0xdfff)) {
            throw new IllegalArgumentException(what + " must not contain NUL or an unpaired surrogate");
        }
        if (isDots(name)) {
            throw new IllegalArgumentException(what + " must not be '" + name + "'");
        }
        return name;
    }

    private static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }

    /**
     * Returns the name as a part of a path or query. A name of dots, which older servers accepted, is encoded, so that
     * it is not a path segment.
     */
    public static String encode(String name) {
        if (isDots(name)) {
            return name.replace(".", "%2E");
        }
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
