package io.queenmq.client;

import java.util.Collection;

/** Examines failures and their causes. */
final class FailureCauses {
    /** Chains of causes may have cycles. */
    private static final int DEPTH_MAX = 50;

    private FailureCauses() {}

    /** Returns true if the failure or one of its causes has one of these types. */
    static boolean contain(Throwable failure, Collection<Class<? extends Throwable>> types) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            for (Class<? extends Throwable> type : types) {
                if (type.isInstance(cause)) {
                    return true;
                }
            }
            cause = cause.getCause();
        }
        return false;
    }
}
