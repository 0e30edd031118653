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

/**
 * One thing a request tells an operator's routine: where it stands, what it is called, and what it must be.
 *
 * @param reading makes the argument of what the request says; null stands for not given
 */
public record Parameter(Source source, String name, Reading reading) {
    private static final String ACTOR_NAME = "actor";

    public enum Source {
        PATH,
        QUERY,
        BODY,
        /** In the query or in the body. */
        ANYWHERE,
        /** In the body, as the JSON it is. */
        JSON,
        /** As JSON; stored encrypted where the partition of the request is in an encrypted queue. */
        SEALED_JSON,
        /** The forms in which the error of the request may be stored encrypted. */
        SEALED_ERROR,
        ACTOR
    }

    /** Makes an argument of what a request says. */
    public interface Reading {
        /**
         * @param value a text in path and query; in a body also a Long, a Double, a Boolean, a list of texts, or the
         *        JSON of anything else; null when it is not given
         */
        Object from(Object value, String name);
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

    /** In the query, or else in the body. */
    static Parameter anywhere(String name, Reading reading) {
        return new Parameter(Source.ANYWHERE, name, reading);
    }

    /** A field of the body that must be there and may be any JSON. */
    static Parameter json(String name) {
        return new Parameter(Source.JSON, name, Parameter::required);
    }

    /** As {@link #json}; encrypted where the queue of the partition is, which is the first parameter of the route. */
    static Parameter sealedJson(String name) {
        return new Parameter(Source.SEALED_JSON, name, Parameter::required);
    }

    /** The forms in which the error that the route has a parameter for may be stored encrypted. */
    static Parameter sealedError() {
        return new Parameter(Source.SEALED_ERROR, "error", (value, _) -> value);
    }

    /** Who asks, for the audit. */
    static Parameter actor() {
        return new Parameter(Source.ACTOR, ACTOR_NAME, (value, _) -> value);
    }

    /** Returns true if this is who asks, which only routines that write to the audit log are told. */
    boolean isActor() {
        return source == Source.ACTOR && name.equals(ACTOR_NAME);
    }

    /** A name of a queue, partition, group, namespace or task, or a transactionId. */
    static Reading optionalName() {
        return (value, name) -> value == null ? null : Names.requireText(text(value, name), name);
    }

    static Reading requiredName() {
        return (value, name) -> Names.requireText(text(required(value, name), name), name);
    }

    /** A name that has a usual value. */
    static Reading nameOr(String standard) {
        return (value, name) -> value == null ? standard : optionalName().from(value, name);
    }

    /** A name that a new partition can have. */
    static Reading optionalPartition() {
        return (value, name) -> value == null ? null : Names.requireName(text(value, name), name);
    }

    /** A name that a queue can have. */
    static Reading optionalQueue() {
        return (value, name) -> value == null ? null : Names.requireQueue(text(value, name), name);
    }

    /** Several names of things that are created, or one. */
    static Reading newNames(int max) {
        return (value, name) -> {
            String[] names = (String[]) optionalNames(max).from(value, name);
            for (int i = 0; names != null && i < names.length; i++) {
                Names.requireName(names[i], name);
            }
            return names;
        };
    }

    /** Several names, or one. */
    static Reading optionalNames(int max) {
        return (value, name) -> switch (value) {
            case null -> null;
            case String text -> new String[]{Names.requireText(text, name)};
            case List<?> texts when texts.size() <= max -> texts.stream()
                    .map(text -> Names.requireText((String) text, name)).toArray(String[]::new);
            default -> throw new BadRequest(name + " must be a list of at most " + max + " strings");
        };
    }

    /** Any text. */
    static Reading text() {
        return (value, name) -> value == null ? null : requireNoNul(text(value, name), name);
    }

    static Reading uuid() {
        return (value, name) -> {
            UUID id = value == null ? null : Uuids.parse(text(value, name));
            if (value != null && id == null) {
                throw new BadRequest(name + " must be a UUID");
            }
            return id;
        };
    }

    static Reading requiredUuid() {
        return (value, name) -> uuid().from(required(value, name), name);
    }

    static Reading moment() {
        return (value, name) -> value == null ? null : Timestamps.parse(text(value, name), name);
    }

    /** In a query what is not a number is taken for the default, as it always was; in a body it is an error. */
    static Reading whole(long standard, long min, long max) {
        return (value, name) -> switch (value) {
            case null -> standard;
            case Long number when number >= min && number <= max -> number;
            case String text -> Math.clamp(parseOr(text, standard), min, max);
            default -> throw new BadRequest(name + " must be a whole number from " + min + " to " + max);
        };
    }

    /** A whole number that may be missing. */
    static Reading wholeOrNull(long min, long max) {
        return (value, name) -> value == null ? null : whole(min, min, max).from(value, name);
    }

    /** A positive whole number in a path, which must be one. */
    static Reading requiredNumber() {
        return (value, name) -> {
            long number = parseOr(text(required(value, name), name), 0);
            if (number < 1) {
                throw new BadRequest(name + " must be a positive whole number");
            }
            return number;
        };
    }

    static Reading flag(boolean standard) {
        return (value, name) -> switch (value) {
            case null -> standard;
            case Boolean flag -> flag;
            case String text -> text.isEmpty() ? standard : text.equals("true") || text.equals("1");
            default -> throw new BadRequest(name + " must be true or false");
        };
    }

    /** In a body only: there a text is not a flag. */
    static Reading requiredFlag() {
        return (value, name) -> {
            if (required(value, name) instanceof Boolean flag) {
                return flag;
            }
            throw new BadRequest(name + " must be true or false");
        };
    }

    /** A value that is the same for every request of the route. */
    static Parameter constant(Object constant) {
        return new Parameter(Source.ACTOR, "constant", (_, _) -> constant);
    }

    Object argument(RequestPath path, int segment, QueryString query, Map<String, Object> body, String actor) {
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

    private static Object required(Object value, String name) {
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

    private static long parseOr(String text, long standard) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            return standard;
        }
    }
}
