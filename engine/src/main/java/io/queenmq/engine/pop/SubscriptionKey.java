package io.queenmq.engine.pop;

import io.queenmq.engine.command.PopCommand;

/** Identifies a subscription: of a group to a queue, or to all queues of a namespace and task. Unused names are empty. */
record SubscriptionKey(String group, String queue, String namespace, String task) implements Awaited {
    static SubscriptionKey of(PopCommand command) {
        return switch (command.source()) {
            case PopCommand.Source.Partition(var queue, _) -> new SubscriptionKey(command.group(), queue, "", "");
            case PopCommand.Source.Queue(var queue) -> new SubscriptionKey(command.group(), queue, "", "");
            case PopCommand.Source.Filter(var namespace, var task) ->
                new SubscriptionKey(command.group(), "", namespace, task);
        };
    }
}
