package io.queenmq.engine.reply;

/** Why a command as a whole could not be carried out; what became of single items of it is in its outcome. */
public sealed interface Failure {
    String message();

    /** Whether it is certain that the command changed nothing. */
    default boolean isNothingDone() {
        return !(this instanceof Unavailable);
    }

    /** PostgreSQL cannot be reached, or did not answer in time: what was asked may or may not have been done. */
    record Unavailable(String message) implements Failure {}

    /** A bound was reached: nothing was done. */
    record Overloaded(String message) implements Failure {}

    /** An operator has switched off what was asked for: nothing was done. */
    record Maintenance(String message) implements Failure {
        public static final Maintenance OF_PUSH = new Maintenance("pushes are switched off for maintenance");
    }

    /** PostgreSQL refused this command alone: nothing was done. */
    record Refused(String message) implements Failure {}
}
