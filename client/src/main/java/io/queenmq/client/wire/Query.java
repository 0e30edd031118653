package io.queenmq.client.wire;

import org.jspecify.annotations.Nullable;

/** Builds the query of a request. Not thread-safe. */
public final class Query {
    private final StringBuilder text = new StringBuilder();

    /** Adds a parameter, unless the value is null. */
    public Query add(String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.isEmpty() ? '?' : '&').append(name).append('=').append(Names.encode(value.toString()));
        }
        return this;
    }

    /** Returns the query with its question mark; empty if there are no parameters. */
    @Override
    public String toString() {
        return text.toString();
    }
}
