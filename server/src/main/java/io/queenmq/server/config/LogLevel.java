package io.queenmq.server.config;

/** How much is logged. */
public enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
}
