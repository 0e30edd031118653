package io.queenmq.server.http.access;

import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.Right;
import io.queenmq.server.auth.Role;
import java.util.List;
import java.util.Locale;

/**
 * Declares which queues a route concerns, and which rights a caller needs on them whose token or key has rights per queue. Every
 * route must declare it.
 *
 * @param subject what the request names the queues by; null unless the scope is {@link Scope#QUEUES}
 */
public record Reach(Scope scope, Subject subject, List<Right> rights) {
    /** The queues that a route concerns. */
    public enum Scope {
        /** None, and nothing of the server that is not public. */
        NOTHING,
        /** Those that the request names, or that hold what the request names. */
        QUEUES,
        /** A list that contains only queues for which the caller has the right. */
        LIST,
        /** All queues that exist or will exist. */
        EVERY_QUEUE,
        /** The whole server: a caller with rights per queue needs the role admin. */
        SERVER;

        public String inWords() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The parameter by which a request of an operator names a queue. */
    public enum Subject {
        QUEUE("queue"),
        PARTITION("partitionId"),
        /** A stream query: its source queue and its sink queue are concerned. */
        QUERY("name"),
        /** The queue that a redrive reads from and the one that it moves to are concerned. */
        REDRIVE("id"),
        /** Read by the route itself, which is a {@link QueueRoute}. */
        REQUEST(null);

        private final String parameter;

        Subject(String parameter) {
            this.parameter = parameter;
        }

        public String parameter() {
            return parameter;
        }
    }

    public static final Reach NOTHING = new Reach(Scope.NOTHING, null, List.of());
    public static final Reach SERVER = new Reach(Scope.SERVER, null, List.of());
    public static final Reach LIST = new Reach(Scope.LIST, null, List.of(Right.READ));

    public static Reach everyQueue(Right right) {
        return new Reach(Scope.EVERY_QUEUE, null, List.of(right));
    }

    /** By the queue's name; where that is optional and not given, every queue is concerned. */
    public static Reach queue(Right right) {
        return new Reach(Scope.QUEUES, Subject.QUEUE, List.of(right));
    }

    public static Reach partition(Right right) {
        return new Reach(Scope.QUEUES, Subject.PARTITION, List.of(right));
    }

    public static Reach query(Right right) {
        return new Reach(Scope.QUEUES, Subject.QUERY, List.of(right));
    }

    public static Reach redrive(Right right) {
        return new Reach(Scope.QUEUES, Subject.REDRIVE, List.of(right));
    }

    /** @param rights all that a request may need, depending on what it asks for */
    public static Reach request(Right... rights) {
        return new Reach(Scope.QUEUES, Subject.REQUEST, List.of(rights));
    }

    public Right right() {
        return rights.getFirst();
    }

    /**
     * Returns true if the caller may use the route at all. The role is an upper bound, if there is one. Which queues a request
     * names is checked after it was read.
     */
    boolean isOpenTo(Identity caller, Access access) {
        if (caller.rights() == null) {
            return access.isOpenTo(caller.role());
        }
        return switch (scope) {
            case SERVER -> caller.role() == Role.ADMIN;
            case EVERY_QUEUE -> isWithinRole(caller, access) && caller.rights().allowEverywhere(right());
            case NOTHING, QUEUES, LIST -> isWithinRole(caller, access);
        };
    }

    private static boolean isWithinRole(Identity caller, Access access) {
        return caller.role() == Role.NONE || access.isOpenTo(caller.role());
    }

    /** Returns what a caller lacks for which the route is not open. */
    String lacking(Identity caller, Access access) {
        if (caller.rights() == null || !isWithinRole(caller, access)) {
            return access.inWords() + " access is needed";
        }
        return scope == Scope.SERVER
                ? "the role admin is needed, because this concerns the whole server"
                : right().word() + " on every queue is needed, such as " + right().word() + ":*";
    }
}
