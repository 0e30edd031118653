package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Messages that compress like real ones: each about 300 bytes long, 150 of them payload. */
final class SampleMessages {
    private final Random random = new Random(42);

    /** One batch per partition. */
    List<Batch> batches(int partitions, int messages) {
        var batches = new ArrayList<Batch>();
        for (int partition = 0; partition < partitions; partition++) {
            batches.add(batch(messages));
        }
        return batches;
    }

    Batch batch(int count) {
        var hashes = ByteBuffer.allocate(8 * count);
        var body = new StringBuilder();
        for (int i = 0; i < count; i++) {
            hashes.putLong(random.nextLong());
            body.append("{\"id\":\"").append(uuid()).append("\",\"transactionId\":\"").append(uuid())
                    .append("\",\"traceId\":null,\"producerSub\":null,\"data\":").append(payload()).append("}\n");
        }
        return new Batch(count, hashes.array(), body.toString().getBytes(UTF_8));
    }

    private UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private String payload() {
        var text = new StringBuilder("{\"orderId\":%d,\"customer\":\"customer-%d\",\"amount\":%.2f,\"currency\":\"EUR\""
                .formatted(random.nextInt(1_000_000_000), random.nextInt(10_000), random.nextDouble() * 1000)
                + ",\"note\":\"");
        while (text.length() < 148) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.append("\"}").toString();
    }
}
