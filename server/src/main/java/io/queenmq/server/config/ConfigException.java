package io.queenmq.server.config;

import java.util.List;

/** The environment holds values no server can run with; the message names all of them. */
public final class ConfigException extends RuntimeException {
    private final List<String> problems;

    ConfigException(List<String> problems) {
        super("these settings cannot be used:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
