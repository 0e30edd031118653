package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.queue.OptionRange;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Parses the options of a queue. Options that are absent or null keep their values. Used for one request. */
final class QueueOptionsParser {
    /** The meaning of lease time 0, in seconds. */
    private static final int LEASE_TIME_OF_ZERO = 60;

    private final Map<QueueOption, Object> values = new EnumMap<>(QueueOption.class);

    /** Reads the value of the field {@code options}. */
    void read(JsonParser parser) throws IOException {
        switch (parser.nextToken()) {
            case START_OBJECT -> readFields(parser);
            case VALUE_NULL -> {
            }
            case START_ARRAY -> {
                // PHP encodes an object without fields as an empty array.
                if (parser.nextToken() != JsonToken.END_ARRAY) {
                    throw new BadRequest("options must be an object");
                }
            }
            case null, default -> throw new BadRequest("options must be an object");
        }
    }

    private void readFields(JsonParser parser) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            Optional<QueueOption> option = QueueOption.find(name);
            if (option.isPresent()) {
                readOption(option.get(), parser);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void readOption(QueueOption option, JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_NULL) {
            values.put(option, value(option, parser));
        } else if (option.isNullable()) {
            values.put(option, QueueOptions.AS_THE_SERVER);
        }
    }

    private static Object value(QueueOption option, JsonParser parser) throws IOException {
        OptionRange range = option.range();
        String name = "options." + option.key();
        return switch (range.type()) {
            case INTEGER -> (int) JsonInput.whole(parser, name, range.min(), range.max());
            case BIGINT -> JsonInput.whole(parser, name, range.min(), range.max());
            case DECIMAL -> JsonInput.decimal(parser, name, range.min(), range.max());
            case BOOLEAN -> flag(parser, name);
        };
    }

    private static boolean flag(JsonParser parser, String name) {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new BadRequest(name + " must be true or false");
        };
    }

    QueueOptions options() {
        values.replace(QueueOption.LEASE_TIME, 0, LEASE_TIME_OF_ZERO);
        // Some clients cannot send retentionEnabled, only the times.
        if (isPositive(QueueOption.RETENTION) || isPositive(QueueOption.COMPLETED_RETENTION)) {
            values.putIfAbsent(QueueOption.RETENTION_ENABLED, true);
        }
        return new QueueOptions(values);
    }

    private boolean isPositive(QueueOption option) {
        return values.get(option) instanceof Integer number && number > 0;
    }
}
