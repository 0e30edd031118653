package io.queenmq.server.http.operator;

import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.json.Timestamps;
import io.queenmq.server.http.json.Uuids;
import io.queenmq.server.http.server.QueryString;
import io.queenmq.server.http.server.RequestPath;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of an operator request: its place, its name and its validation.
 *
 * @param reading converts the value of the request, null if absent, to the argument of the routine
 */
public record Parameter(Source source, String name, Reading reading) {
    private static final String ACTOR_NAME = "actor";

    public enum Source {
        PATH,
        QUERY,
        BODY,
        /** In the query or in the body. */
        ANYWHERE,
        /** In the body, passed on as JSON. */
        JSON,
        /** As JSON; encrypted if the partition of the request is in an encrypted queue. */
        SEALED_JSON,
        /** The forms in which the error of the request may be stored encrypted. */
        SEALED_ERROR,
        ACTOR
    }

    /** Converts a value of a request to an argument. */
    public interface Reading {
        /**
         * @param value a text in path and query; from a body also a Long, a Double, a Boolean, a list of texts, or the
         *        JSON of anything else; null if it is absent
         */
        @Nullable
        Object from(@Nullable Object value, String name);
    }

    /** A reading that never returns null: the value is required or has a default. */
    public interface Definite extends Reading {
        @Override
        Object from(@Nullable Object value, String name);
    }

    static Parameter path(String name, Reading reading) {
        return new Parameter(Source.PATH, name, reading);
    }

    static Parameter query(String name, Reading reading) {
        return new Parameter(Source.QUERY, name, reading);
    }

    static Parameter body(String name, Reading reading) {
        return new Parameter(Source.BODY, name, reading);
    }

    /** Returns a parameter of the query, or else of the body. */
    static Parameter anywhere(String name, Reading reading) {
        return new Parameter(Source.ANYWHERE, name, reading);
    }

    /** Returns a required field of the body with any JSON. */
    static Parameter json(String name) {
        return new Parameter(Source.JSON, name, Parameter::required);
    }

    /**
     * Same as {@link #json}, but encrypted if the queue of the partition is. The partition must be the first parameter of
     * the route.
     */
    static Parameter sealedJson(String name) {
        return new Parameter(Source.SEALED_JSON, name, Parameter::required);
    }

    /** Returns the encrypted forms in which the error of the request may be stored. */
    static Parameter sealedError() {
        return new Parameter(Source.SEALED_ERROR, "error", (value, _) -> value);
    }

    /** Returns the actor of the request, for the audit log. */
    static Parameter actor() {
        return new Parameter(Source.ACTOR, ACTOR_NAME, (value, _) -> value);
    }

    /** Returns true if this is the actor, a parameter of routines that write to the audit log only. */
    boolean isActor() {
        return source == Source.ACTOR && name.equals(ACTOR_NAME);
    }

    /** Reads a name of a queue, partition, group, namespace or task, or a transactionId. */
    static Reading optionalName() {
        return (value, name) -> value == null ? null : Names.requireText(text(value, name), name);
    }

    static Definite requiredName() {
        return (value, name) -> Names.requireText(text(required(value, name), name), name);
    }

    /** Reads a name with a default. */
    static Definite nameOr(String defaultValue) {
        return (value, name) -> value == null ? defaultValue : Names.requireText(text(value, name), name);
    }

    /** Reads a valid name of a new partition. */
    static Reading optionalPartition() {
        return (value, name) -> value == null ? null : Names.requireName(text(value, name), name);
    }

    /** Reads a valid name of a queue. */
    static Reading optionalQueue() {
        return (value, name) -> value == null ? null : Names.requireQueue(text(value, name), name);
    }

    /** Reads one or several names of new objects. */
    static Reading newNames(int max) {
        return (value, name) -> {
            String[] names = (String[]) optionalNames(max).from(value, name);
            for (int i = 0; names != null && i < names.length; i++) {
                Names.requireName(names[i], name);
            }
            return names;
        };
    }

    /** Reads one or several names. */
    static Reading optionalNames(int max) {
        return (value, name) -> switch (value) {
            case null -> null;
            case String text -> new String[]{Names.requireText(text, name)};
            case List<?> texts when texts.size() <= max ->
                texts.stream().map(text -> Names.requireText((String) text, name)).toArray(String[]::new);
            default -> throw new BadRequest(name + " must be a list of at most " + max + " strings");
        };
    }

    /** Reads any text without the character NUL. */
    static Reading text() {
        return (value, name) -> value == null ? null : requireNoNul(text(value, name), name);
    }

    static Reading uuid() {
        return (value, name) -> {
            return value == null ? null : requireUuid(value, name);
        };
    }

    static Definite requiredUuid() {
        return (value, name) -> requireUuid(required(value, name), name);
    }

    static Reading timestamp() {
        return (value, name) -> value == null ? null : Timestamps.parse(text(value, name), name);
    }

    /** Reads a whole number. An invalid number means the default in a query, for compatibility, and is an error in a body. */
    static Definite whole(long defaultValue, long min, long max) {
        return (value, name) -> switch (value) {
            case null -> defaultValue;
            case Long number when number >= min && number <= max -> number;
            case String text -> Math.clamp(parseOr(text, defaultValue), min, max);
            default -> throw new BadRequest(name + " must be a whole number from " + min + " to " + max);
        };
    }

    /** Reads an optional whole number. */
    static Reading wholeOrNull(long min, long max) {
        return (value, name) -> value == null ? null : whole(min, min, max).from(value, name);
    }

    /** Reads a required positive whole number of a path. */
    static Definite requiredNumber() {
        return (value, name) -> {
            long number = parseOr(text(required(value, name), name), 0);
            if (number < 1) {
                throw new BadRequest(name + " must be a positive whole number");
            }
            return number;
        };
    }

    static Definite flag(boolean defaultValue) {
        return (value, name) -> switch (value) {
            case null -> defaultValue;
            case Boolean flag -> flag;
            case String text -> text.isEmpty() ? defaultValue : text.equals("true") || text.equals("1");
            default -> throw new BadRequest(name + " must be true or false");
        };
    }

    /** Reads a required boolean of a body. A text is an error. */
    static Definite requiredFlag() {
        return (value, name) -> {
            if (required(value, name) instanceof Boolean flag) {
                return flag;
            }
            throw new BadRequest(name + " must be true or false");
        };
    }

    /** Returns a parameter with the same value for every request. */
    static Parameter constant(@Nullable Object constant) {
        return new Parameter(Source.ACTOR, "constant", (_, _) -> constant);
    }

    @Nullable
    Object argument(RequestPath path, int segment, QueryString query, Map<String, Object> body,
            @Nullable String actor) {
        return reading.from(switch (source) {
            case PATH -> path.decoded(segment);
            case QUERY -> query.textOrNull(name);
            case BODY -> body.get(name);
            case ANYWHERE -> query.text(name).isEmpty() ? body.get(name) : query.text(name);
            case JSON, SEALED_JSON ->
                throw new IllegalStateException("the JSON of " + name + " is taken from the body itself");
            case SEALED_ERROR -> null;
            case ACTOR -> actor;
        }, name);
    }

    private static UUID requireUuid(Object value, String name) {
        UUID id = Uuids.parse(text(value, name));
        if (id == null) {
            throw new BadRequest(name + " must be a UUID");
        }
        return id;
    }

    private static Object required(@Nullable Object value, String name) {
        if (value == null) {
            throw new BadRequest(name + " is missing");
        }
        return value;
    }

    private static String text(Object value, String name) {
        if (value instanceof String text) {
            return text;
        }
        throw new BadRequest(name + " must be a string");
    }

    private static String requireNoNul(String text, String name) {
        if (text.indexOf(0) >= 0) {
            throw new BadRequest(name + " must not contain the character NUL");
        }
        return text;
    }

    private static long parseOr(String text, long defaultValue) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            return defaultValue;
        }
    }
}
