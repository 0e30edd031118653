package io.queenmq.server.model;

/** The status of a message in an acknowledgment. */
enum Status {
    COMPLETED,
    FAILED,
    RETRY,
    DLQ;

    String word() {
        return name().toLowerCase();
    }
}
