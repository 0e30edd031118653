package io.queenmq.client;

import io.queenmq.client.wire.Names;
import java.lang.reflect.Type;

/** One partition of a queue: what is pushed to it is delivered in that order. Immutable and cheap. */
public final class PartitionView<T> extends PushView<T> {
    private final String name;
    private final Type type;

    PartitionView(Context context, String queue, String name, Type type) {
        super(context, queue, name);
        this.name = name;
        this.type = type;
    }

    public String queue() {
        return queue;
    }

    public String name() {
        return name;
    }

    /** What a group of consumers has of this partition alone. */
    public GroupView<T> group(String group) {
        return new GroupView<>(context, new Source.Partition(queue, name), Names.require(group, "group"), type);
    }

    /** All who read this partition without a group. */
    public GroupView<T> withoutGroup() {
        return new GroupView<>(context, new Source.Partition(queue, name), null, type);
    }
}
