package io.queenmq.server.config;

/** The lowest level of log lines that are written. */
public enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
}
