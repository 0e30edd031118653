package io.queenmq.schema;

import java.util.List;

/** @param failed first offset, end and attempts of each run of messages that failed before */
record LeaseResult(int index, String status, long first, long end, long head, Long untilMs, String acked,
        List<Long> failed, boolean isAlone, Long bytes) {
    boolean isLeased() {
        return status.equals("leased");
    }

    /** Returns the attempts of the first message. */
    int attempts() {
        return attempts(first);
    }

    int attempts(long offset) {
        for (int i = 0; i < failed.size(); i += 3) {
            if (failed.get(i) <= offset && offset < failed.get(i + 1)) {
                return failed.get(i + 2).intValue();
            }
        }
        return 0;
    }
}
