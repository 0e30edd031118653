package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.cli.output.Payload;
import io.queenmq.client.Delivery;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The columns of delivered messages. */
final class DeliveryColumns {
    /** Has the names of the HTTP API, so that {@code ack} and {@code tx} can read the output. */
    static final List<Column<Delivery<?>>> OF_POP = List.of(Column.of("transactionId", Delivery::transactionId),
            Column.of("partition", Delivery::partition), Column.of("retryCount", delivery -> delivery.attempt() - 1),
            Column.of("createdAt", Delivery::createdAt), Column.of("queue", Delivery::queue),
            Column.wide("partitionId", Delivery::partitionId), Column.wide("leaseId", Delivery::leaseId),
            Column.data("consumerGroup", Delivery::group), Column.data("id", Delivery::messageId),
            Column.data("traceId", Delivery::traceId), Column.data("producerSub", Delivery::producerSub),
            Column.data("headers", Delivery::headers), Column.of("data", DeliveryColumns::payload));

    private DeliveryColumns() {}

    private static Payload payload(Delivery<?> delivery) {
        return new Payload(new String(delivery.payload(), StandardCharsets.UTF_8));
    }
}
