package io.queenmq.client;

import io.queenmq.client.wire.Names;
import java.lang.reflect.Type;

/** A queue whose payloads are of one type. Immutable and cheap: make one whenever it is handy. */
public final class QueueView<T> extends PushView<T> {
    private final Type type;

    QueueView(Context context, String name, Type type) {
        super(context, Names.requireQueue(name), null);
        this.type = type;
    }

    public String name() {
        return queue;
    }

    /** One partition of this queue. The first push to it creates it. */
    public PartitionView<T> partition(String partition) {
        return new PartitionView<>(context, queue, Names.require(partition, "partition"), type);
    }

    /** What a group of consumers has of this queue: each group reads all of it for itself. */
    public GroupView<T> group(String group) {
        return new GroupView<>(context, new Source.Queue(queue), Names.require(group, "group"), type);
    }

    /** All who read this queue without a group: they share its messages among them. */
    public GroupView<T> withoutGroup() {
        return new GroupView<>(context, new Source.Queue(queue), null, type);
    }
}
