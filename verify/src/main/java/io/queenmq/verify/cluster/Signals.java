package io.queenmq.verify.cluster;

import java.io.IOException;

/** Sends signals to processes. */
public final class Signals {
    private Signals() {}

    /**
     * Sends a signal and returns true if the process received it.
     *
     * @param signal such as {@code STOP}
     */
    public static boolean send(long pid, String signal) {
        try {
            return new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            throw new SetupException("the program kill cannot be started", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
