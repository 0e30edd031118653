package io.queenmq.client;

import io.queenmq.client.wire.Names;
import java.lang.reflect.Type;

/** A queue with payloads of one type. Immutable and cheap: create one wherever it is needed. */
public final class QueueView<T> extends PushView<T> {
    private final Type type;

    QueueView(Context context, String name, Type type) {
        super(context, Names.requireQueue(name), null);
        this.type = type;
    }

    public String name() {
        return queue;
    }

    /** Returns the view of one partition. Its first push creates it. */
    public PartitionView<T> partition(String partition) {
        return new PartitionView<>(context, queue, Names.require(partition, "partition"), type);
    }

    /** Returns the view of a consumer group. Each group reads all messages of the queue. */
    public GroupView<T> group(String group) {
        return new GroupView<>(context, new Source.Queue(queue), Names.require(group, "group"), type);
    }

    /** Returns the view of the consumers without a group, which share the messages of the queue. */
    public GroupView<T> withoutGroup() {
        return new GroupView<>(context, new Source.Queue(queue), null, type);
    }
}
