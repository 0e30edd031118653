package io.queenmq.client.wire;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request.
 *
 * @param body null for none
 * @param affinity decides which server is asked first
 * @param preferred the server to ask first in spite of that; null for none
 * @param timeout how long one attempt may take; null for the usual time
 * @param isUrgent whether it goes at once, however many requests are under way
 */
public record Call(String method, String path, byte @Nullable [] body, Repeat repeat, String affinity,
        @Nullable Endpoint preferred, @Nullable Duration timeout, boolean isUrgent) {
    /** What may be done when an attempt got no answer. */
    public enum Repeat {
        /** It changes nothing: ask again, and if there is no answer at all, nothing has happened. */
        READ,
        /** Doing it twice is doing it once: ask again, but without an answer nobody knows. */
        SAFE,
        /** Doing it twice would be wrong: ask again only if it cannot have arrived. */
        NEVER
    }

    public static Call get(String path) {
        return new Call("GET", path, null, Repeat.READ, path, null, null, false);
    }

    public static Call post(String path, byte[] body) {
        return new Call("POST", path, body, Repeat.SAFE, path, null, null, false);
    }

    public static Call delete(String path) {
        return new Call("DELETE", path, null, Repeat.SAFE, path, null, null, false);
    }

    public Call repeat(Repeat repeat) {
        return new Call(method, path, body, repeat, affinity, preferred, timeout, isUrgent);
    }

    public Call affinity(String affinity) {
        return new Call(method, path, body, repeat, affinity, preferred, timeout, isUrgent);
    }

    public Call preferring(@Nullable Endpoint preferred) {
        return new Call(method, path, body, repeat, affinity, preferred, timeout, isUrgent);
    }

    public Call timeout(Duration timeout) {
        return new Call(method, path, body, repeat, affinity, preferred, timeout, isUrgent);
    }

    /** What others wait for, or what waits for others itself, must not wait behind pushes. */
    public Call urgent() {
        return new Call(method, path, body, repeat, affinity, preferred, timeout, true);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
