package io.queenmq.server.model;

/** What a consumer may say of a message. */
enum Status {
    COMPLETED,
    FAILED,
    RETRY,
    DLQ;

    String word() {
        return name().toLowerCase();
    }
}
