package io.queenmq.server.push;

import io.queenmq.server.reply.Reply;
import java.util.List;

/**
 * A validated push request; answered with one outcome per item, in order.
 *
 * @param isRedrive the messages are dead letters that are to be delivered once more: a message with the same
 *        transactionId in the lane does not make them duplicates, because it is the one that died
 */
public record PushCommand(List<PushItem> items, boolean isRedrive, Reply<List<PushOutcome>> reply) {
    public PushCommand(List<PushItem> items, Reply<List<PushOutcome>> reply) {
        this(items, false, reply);
    }
}
