package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The messages of one push call for one partition. */
record Batch(int count, byte[] hashes, byte[] body) {
    private static final String ID = "00000000-0000-7000-8000-000000000000";

    /** One message for each transactionId; its payload is the transactionId again. */
    static Batch of(String... transactionIds) {
        return ofLines(List.of(transactionIds).stream().map(Batch::line).toList());
    }

    /** Returns this number of messages, with transactionIds m0, m1 and so on. */
    static Batch ofSize(int count) {
        return ofLines(IntStream.range(0, count).mapToObj(i -> line("m" + i)).toList());
    }

    static Batch ofLines(List<String> lines) {
        var hashes = ByteBuffer.allocate(8 * lines.size());
        lines.forEach(line -> hashes.putLong(line.hashCode()));
        var body = lines.stream().collect(Collectors.joining("\n", "", "\n"));
        return new Batch(lines.size(), hashes.array(), body.getBytes(UTF_8));
    }

    static String line(String transactionId) {
        return line('"' + transactionId + '"', "null", "null", '"' + transactionId + '"');
    }

    /** A stored line from pieces of JSON. */
    static String line(String transactionId, String traceId, String producerSub, String data) {
        return "{\"id\":\"" + ID + "\",\"transactionId\":" + transactionId + ",\"traceId\":" + traceId
                + ",\"producerSub\":" + producerSub + ",\"data\":" + data + "}";
    }

    /** Bytes of the largest line, with its line break. */
    int largestLine() {
        int largest = 0;
        int start = 0;
        for (int i = 0; i < body.length; i++) {
            if (body[i] == '\n') {
                largest = Math.max(largest, i + 1 - start);
                start = i + 1;
            }
        }
        return largest;
    }

    String text() {
        return new String(body, UTF_8);
    }
}
