package io.queenmq.client.wire;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request.
 *
 * @param body null for none
 * @param affinity selects the server of the first attempt
 * @param preferred the server of the first attempt, regardless of the affinity; null for none
 * @param timeout maximum time of one attempt; null for the default
 * @param isUrgent true if the request does not count toward the maximum of requests in flight
 */
public record Call(String method, String path, byte @Nullable [] body, Repeat repeat, String affinity,
        @Nullable Endpoint preferred, @Nullable Duration timeout, boolean isUrgent) {
    /** Defines whether a request without a response may be repeated. */
    public enum Repeat {
        /** The request changes nothing. Repeat it; without a response, nothing has happened. */
        READ,
        /** The request is idempotent. Repeat it; without a response, the outcome is unknown. */
        SAFE,
        /** The request must not be executed twice. Repeat it only if it cannot have reached the server. */
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

    /**
     * Exempts the request from the limit of requests in flight: pops, acknowledgments and renewals must not wait behind
     * pushes.
     */
    public Call urgent() {
        return new Call(method, path, body, repeat, affinity, preferred, timeout, true);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
