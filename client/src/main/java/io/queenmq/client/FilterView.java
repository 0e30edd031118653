package io.queenmq.client;

import io.queenmq.client.wire.Names;
import java.lang.reflect.Type;

/** All queues of a namespace, a task, or both, read as one queue. Immutable and cheap. */
public final class FilterView<T> {
    private final Context context;
    private final Source.Filter filter;
    private final Type type;

    FilterView(Context context, Source.Filter filter, Type type) {
        this.context = context;
        this.filter = filter;
        this.type = type;
    }

    public GroupView<T> group(String group) {
        return new GroupView<>(context, filter, Names.require(group, "group"), type);
    }

    public GroupView<T> withoutGroup() {
        return new GroupView<>(context, filter, null, type);
    }
}
