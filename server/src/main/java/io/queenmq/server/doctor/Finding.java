package io.queenmq.server.doctor;

/**
 * The result of one check.
 *
 * @param remedy the action of an operator; empty if the state is OK
 */
public record Finding(String check, State state, String detail, String remedy) {
    /** The severity of a finding. */
    public enum State {
        OK,
        /** The server runs, but something may fail later. */
        WARNING,
        /** The server does not start, or cannot do its work. */
        PROBLEM
    }

    static Finding ok(String check, String detail) {
        return new Finding(check, State.OK, detail, "");
    }

    static Finding warning(String check, String detail, String remedy) {
        return new Finding(check, State.WARNING, detail, remedy);
    }

    static Finding problem(String check, String detail, String remedy) {
        return new Finding(check, State.PROBLEM, detail, remedy);
    }
}
