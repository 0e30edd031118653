package io.queenmq.server.http.access;

import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.Right;
import io.queenmq.server.auth.Role;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Declares which queues a route concerns, and which rights on them a caller with rights per queue needs. Every route must declare
 * it.
 *
 * @param subject parameter by which the request names the queues; null unless the scope is {@link Scope#QUEUES}
 */
public record Reach(Scope scope, @Nullable Subject subject, List<Right> rights) {
    /** The queues that a route concerns. */
    public enum Scope {
        /** No queues, and only public information about the server. */
        NOTHING,
        /** Queues that the request names, or that contain what the request names. */
        QUEUES,
        /** A list that must contain only queues on which the caller has the right. */
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
        /** A stream query; concerns its source queue and its sink queue. */
        QUERY("name"),
        /** A redrive; concerns its source queue and its target queue. */
        REDRIVE("id"),
        /** Parsed by the route itself, which is a {@link QueueRoute}. */
        REQUEST(null);

        private final @Nullable String parameter;

        Subject(@Nullable String parameter) {
            this.parameter = parameter;
        }

        /** @throws IllegalStateException for {@link #REQUEST}, which has no parameter */
        public String parameter() {
            if (parameter == null) {
                throw new IllegalStateException("the route reads its requests itself");
            }
            return parameter;
        }
    }

    public static final Reach NOTHING = new Reach(Scope.NOTHING, null, List.of());
    public static final Reach SERVER = new Reach(Scope.SERVER, null, List.of());
    public static final Reach LIST = new Reach(Scope.LIST, null, List.of(Right.READ));

    public static Reach everyQueue(Right right) {
        return new Reach(Scope.EVERY_QUEUE, null, List.of(right));
    }

    /** Returns the reach of a route with a queue name. If the name is optional and missing, every queue is concerned. */
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

    /** @param rights all rights that a request may need, depending on its contents */
    public static Reach request(Right... rights) {
        return new Reach(Scope.QUEUES, Subject.REQUEST, List.of(rights));
    }

    public Right right() {
        return rights.getFirst();
    }

    /**
     * Returns true if the caller may use the route at all. The role is an upper bound, if there is one. The queues that a
     * request names are checked after it was parsed.
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

    /** Returns the access or right that a rejected caller lacks. */
    String lacking(Identity caller, Access access) {
        if (caller.rights() == null || !isWithinRole(caller, access)) {
            return access.inWords() + " access is needed";
        }
        return scope == Scope.SERVER
                ? "the role admin is needed, because this concerns the whole server"
                : right().word() + " on every queue is needed, such as " + right().word() + ":*";
    }
}
