package io.queenmq.server.config;

import java.util.List;

/** Thrown if the environment has invalid settings. The message lists all of them. */
public final class ConfigException extends RuntimeException {
    private final List<String> problems;

    ConfigException(List<String> problems) {
        super("invalid settings:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
