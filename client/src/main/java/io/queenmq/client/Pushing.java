package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Pushes to a queue, or to one of its lanes, at once.
 *
 * @param lane null when each message may name its own
 */
record Pushing<T>(Context context, String queue, String lane) {
    List<Stored> push(List<Message<T>> messages) {
        List<Push.Item> items = new ArrayList<>(messages.size());
        for (Message<T> each : messages) {
            items.add(Push.Item.of(queue, lane, each, context.payloads()));
        }
        return Push.requireStored(Push.send(context.wire(), items, null));
    }

    static <T> List<Message<T>> messages(Collection<? extends T> values) {
        List<Message<T>> messages = new ArrayList<>(values.size());
        for (T each : values) {
            messages.add(Message.of(each));
        }
        return messages;
    }
}
