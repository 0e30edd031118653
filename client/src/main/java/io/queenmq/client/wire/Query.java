package io.queenmq.client.wire;

import org.jspecify.annotations.Nullable;

/** The query of a request, put together. For one thread. */
public final class Query {
    private final StringBuilder text = new StringBuilder();

    /** Nothing is added for null. */
    public Query add(String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.isEmpty() ? '?' : '&').append(name).append('=').append(Names.encode(value.toString()));
        }
        return this;
    }

    /** With its question mark; empty when nothing was added. */
    @Override
    public String toString() {
        return text.toString();
    }
}
