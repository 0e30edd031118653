package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import java.io.IOException;

/** Reads the options of a queue; those that are not given, or null, stay as they are. Used for one request. */
final class QueueOptionsParser {
    private static final int LEASE_TIME_MAX = 604_800;
    private static final int RETRY_LIMIT_MAX = Integer.MAX_VALUE;
    private static final int RETRY_DELAY_MAX = 86_400_000;
    private static final int RETRY_BACKOFF_MAX = 10;
    private static final int DEDUP_WINDOW_MAX = 31_536_000;

    /** What a lease time of 0 has always meant. */
    private static final int LEASE_TIME_OF_ZERO = 60;

    private Integer leaseTime;
    private Integer retryLimit;
    private Integer retryDelay;
    private Double retryBackoff;
    private Integer delayedProcessing;
    private Integer windowBuffer;
    private Integer priority;
    private Long maxSize;
    private Integer ttl;
    private Integer maxWaitTimeSeconds;
    private Boolean retentionEnabled;
    private Integer retentionSeconds;
    private Integer completedRetentionSeconds;
    private Boolean encryptionEnabled;
    private Boolean deadLetterQueue;
    private Boolean dlqAfterMaxRetries;
    private Integer dedupWindowSeconds;

    /** Reads the value of the field {@code options} just named. */
    void read(JsonParser parser) throws IOException {
        switch (parser.nextToken()) {
            case START_OBJECT -> readFields(parser);
            case VALUE_NULL -> {
            }
            case START_ARRAY -> {
                // How PHP writes an object without fields.
                if (parser.nextToken() != JsonToken.END_ARRAY) {
                    throw new BadRequest("options must be an object");
                }
            }
            case null, default -> throw new BadRequest("options must be an object");
        }
    }

    private void readFields(JsonParser parser) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (parser.nextToken() == JsonToken.VALUE_NULL) {
                takeNull(name);
                continue;
            }
            try {
                take(name, parser);
            } catch (BadRequest e) {
                throw e.within("options");
            }
        }
    }

    /** Of all options only this one has a state without a value. */
    private void takeNull(String name) {
        if (name.equals("dedupWindowSeconds")) {
            dedupWindowSeconds = QueueOptions.AS_THE_SERVER;
        }
    }

    private void take(String name, JsonParser parser) throws IOException {
        switch (name) {
            case "leaseTime" -> leaseTime = whole(parser, name, LEASE_TIME_MAX);
            case "retryLimit" -> retryLimit = whole(parser, name, RETRY_LIMIT_MAX);
            case "retryDelay" -> retryDelay = whole(parser, name, RETRY_DELAY_MAX);
            case "retryBackoff" -> retryBackoff = JsonInput.decimal(parser, name, 1, RETRY_BACKOFF_MAX);
            case "delayedProcessing" -> delayedProcessing = whole(parser, name, Integer.MAX_VALUE);
            case "windowBuffer" -> windowBuffer = whole(parser, name, Integer.MAX_VALUE);
            case "priority" ->
                priority = (int) JsonInput.whole(parser, name, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "maxSize" -> maxSize = JsonInput.whole(parser, name, 0, Long.MAX_VALUE);
            case "ttl" -> ttl = whole(parser, name, Integer.MAX_VALUE);
            case "maxWaitTimeSeconds" -> maxWaitTimeSeconds = whole(parser, name, Integer.MAX_VALUE);
            case "retentionEnabled" -> retentionEnabled = flag(parser, name);
            case "retentionSeconds" -> retentionSeconds = whole(parser, name, Integer.MAX_VALUE);
            case "completedRetentionSeconds" -> completedRetentionSeconds = whole(parser, name, Integer.MAX_VALUE);
            case "encryptionEnabled" -> encryptionEnabled = flag(parser, name);
            case "deadLetterQueue" -> deadLetterQueue = flag(parser, name);
            case "dlqAfterMaxRetries" -> dlqAfterMaxRetries = flag(parser, name);
            case "dedupWindowSeconds" -> dedupWindowSeconds = whole(parser, name, DEDUP_WINDOW_MAX);
            default -> parser.skipChildren();
        }
    }

    private static Integer whole(JsonParser parser, String name, int max) throws IOException {
        return (int) JsonInput.whole(parser, name, 0, max);
    }

    private static Boolean flag(JsonParser parser, String name) {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new BadRequest(name + " must be true or false");
        };
    }

    QueueOptions options() {
        Integer lease = leaseTime != null && leaseTime == 0 ? Integer.valueOf(LEASE_TIME_OF_ZERO) : leaseTime;
        return new QueueOptions(lease, retryLimit, retryDelay, retryBackoff, delayedProcessing, windowBuffer, priority,
                maxSize, ttl, maxWaitTimeSeconds, retention(), retentionSeconds, completedRetentionSeconds,
                encryptionEnabled,
                deadLetterQueue, dlqAfterMaxRetries, dedupWindowSeconds);
    }

    /** Some clients cannot send the switch, only how long to keep: who says how long means it. */
    private Boolean retention() {
        boolean isWanted = isPositive(retentionSeconds) || isPositive(completedRetentionSeconds);
        return retentionEnabled == null && isWanted ? Boolean.TRUE : retentionEnabled;
    }

    private static boolean isPositive(Integer number) {
        return number != null && number > 0;
    }
}
