package io.queenmq.engine.reply;

/** The reason for which a command failed as a whole. The results of single items are in its outcome. */
public sealed interface Failure {
    String message();

    /** Returns true if the command certainly had no effect. */
    default boolean isNothingDone() {
        return !(this instanceof Unavailable);
    }

    /** PostgreSQL is unavailable or did not respond in time. The command may or may not have taken effect. */
    record Unavailable(String message) implements Failure {}

    /** A limit was reached. The command had no effect. */
    record Overloaded(String message) implements Failure {}

    /** An operator has switched off the operation. The command had no effect. */
    record Maintenance(String message) implements Failure {
        public static final Maintenance OF_PUSH = new Maintenance("pushes are switched off for maintenance");
    }

    /** PostgreSQL rejected this command. It had no effect. */
    record Refused(String message) implements Failure {}
}
