package io.queenmq.client;

import io.queenmq.client.wire.Names;
import java.lang.reflect.Type;

/** One partition of a queue. Its messages are delivered in the order of their pushes. Immutable and cheap. */
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

    /** Returns the view of a consumer group on this partition only. */
    public GroupView<T> group(String group) {
        return new GroupView<>(context, new Source.Partition(queue, name), Names.require(group, "group"), type);
    }

    /** Returns the view of the consumers without a group on this partition. */
    public GroupView<T> withoutGroup() {
        return new GroupView<>(context, new Source.Partition(queue, name), null, type);
    }
}
