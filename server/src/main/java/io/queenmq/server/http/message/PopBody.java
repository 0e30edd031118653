package io.queenmq.server.http.message;

import io.queenmq.engine.cipher.MessagePosition;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.PopOutcome.Delivered;
import io.queenmq.engine.command.PopOutcome.Run;
import io.queenmq.engine.partition.Segment;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.Timestamps;
import java.util.List;
import java.util.UUID;

/** Writes the response of a pop by copying the stored lines. Only encrypted messages are parsed. */
final class PopBody {
    /** Maximum size of the response without messages: three names of up to 255 characters and two ids. */
    private static final int HEAD_BYTES = 4 * 1024;
    /** The offset of a message with its name, at most. */
    private static final int OFFSET_BYTES = 31;
    private static final int LARGE_BYTES = 256 * 1024;

    private final PayloadCipher cipher;

    /** The text after the stored line of each message of a run. It is the same for all of them, so it is created once. */
    private final JsonBuffer suffix = new JsonBuffer();

    PopBody(PayloadCipher cipher) {
        this.cipher = cipher;
    }

    /** @throws io.queenmq.engine.cipher.CipherException if a message cannot be decrypted */
    void write(JsonBuffer json, Delivered delivered) {
        reserve(json, delivered);
        Run first = delivered.runs().getFirst();
        json.raw("{\"success\":true,\"queue\":").string(first.queue()).raw(",\"partition\":").string(first.partition());
        json.raw(",\"partitionId\":").uuid(first.partitionId()).raw(",\"leaseId\":").uuid(delivered.leaseId());
        json.raw(",\"consumerGroup\":").string(delivered.group());
        json.raw(",\"partitionsClaimed\":").number(partitionIds(delivered).size()).raw(",\"messages\":[");
        boolean isFirst = true;
        for (Run run : delivered.runs()) {
            makeSuffix(delivered, run);
            Segment segment = run.segment();
            for (int position = run.first(); position < run.end(); position++) {
                if (!isFirst) {
                    json.raw(",");
                }
                isFirst = false;
                line(json, run, position);
                json.raw(suffix.bytes(), 0, suffix.length()).raw(",\"offset\":").number(segment.base() + position)
                        .raw("}");
            }
        }
        json.raw("]}");
    }

    /** Reserves the memory of a large response at once. A buffer that grows in steps would need three times the memory. */
    private void reserve(JsonBuffer json, Delivered delivered) {
        long lines = 0;
        for (Run run : delivered.runs()) {
            lines += run.segment().lineEnd(run.end() - 1) - run.segment().lineStart(run.first());
        }
        if (lines > LARGE_BYTES) {
            makeSuffix(delivered, delivered.runs().getFirst());
            json.expect(lines + HEAD_BYTES + (long) messageCount(delivered) * (suffix.length() + OFFSET_BYTES));
        }
    }

    /** Appends the stored line, an object, without its closing brace, so that more fields can follow. */
    private void line(JsonBuffer json, Run run, int position) {
        Segment segment = run.segment();
        byte[] body = segment.body();
        int start = segment.lineStart(position);
        int end = segment.lineEnd(position);
        if (PayloadCipher.isEncrypted(body, start, end)) {
            byte[] line = cipher.decrypt(body, start, end,
                    new MessagePosition(run.partitionId(), segment.base() + position));
            json.raw(line, 0, line.length - 1);
        } else {
            json.raw(body, start, end - 1);
        }
    }

    static int messageCount(Delivered delivered) {
        int count = 0;
        for (Run run : delivered.runs()) {
            count += run.end() - run.first();
        }
        return count;
    }

    static List<UUID> partitionIds(Delivered delivered) {
        if (delivered.runs().size() == 1) {
            return List.of(delivered.runs().getFirst().partitionId());
        }
        return delivered.runs().stream().map(Run::partitionId).distinct().toList();
    }

    private void makeSuffix(Delivered delivered, Run run) {
        suffix.clear().raw(",\"createdAt\":").string(Timestamps.textOfMicros(run.segment().createdAtMicros()));
        suffix.raw(",\"partition\":").string(run.partition()).raw(",\"partitionId\":").uuid(run.partitionId());
        suffix.raw(",\"leaseId\":").uuid(delivered.leaseId());
        suffix.raw(",\"consumerGroup\":").string(delivered.group()).raw(",\"queue\":").string(run.queue());
        suffix.raw(",\"retryCount\":").number(run.retryCount());
        suffix.raw(",\"deliveryAttempt\":").number(run.retryCount() + 1);
    }
}
