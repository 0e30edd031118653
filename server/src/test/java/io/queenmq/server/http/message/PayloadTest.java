package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.http.json.Names;
import io.queenmq.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A failing case is repeated with {@code -Dpayload.seed=…}; {@code -Dpayload.plays=…} runs more of them. */
class PayloadTest {
    private static final int CASES = 300;

    private final ObjectMapper mapper = new ObjectMapper();
    private final PushParser parser = new PushParser(new MessageIds(() -> 0));

    @Test
    void everyPayloadIsStoredByteForByteExceptLineBreaks() {
        Seeds.each("payload", CASES, seed -> {
            String payload = new RandomJson(seed).value();
            String body = "{\"items\":[{\"queue\":\"q\",\"payload\":" + payload + "},{\"payload\": " + payload
                    + " ,\"queue\":\"q\"}]}";

            List<PushItem> items = parser.parse(body.getBytes(StandardCharsets.UTF_8), null);

            assertThat(items).hasSize(2);
            for (PushItem item : items) {
                String line = new String(item.line(), StandardCharsets.UTF_8);
                assertThat(line.substring(line.indexOf("\"data\":") + 7))
                        .isEqualTo(payload.replace('\n', ' ').replace('\r', ' ') + "}\n");
                assertThat(mapper.readTree(line).get("data")).isEqualTo(mapper.readTree(payload));
            }
        });
    }

    @Test
    void everyTransactionIdSurvivesItsEscaping() {
        Seeds.each("payload", CASES, seed -> {
            String transactionId = new RandomJson(seed).name();
            assertThat(Names.problemOf(transactionId)).isNull();
            String body = "{\"items\":[{\"queue\":\"q\",\"transactionId\":" + mapper.writeValueAsString(transactionId)
                    + "}]}";

            PushItem item = parser.parse(body.getBytes(StandardCharsets.UTF_8), null).getFirst();

            assertThat(item.transactionId()).isEqualTo(transactionId);
            assertThat(mapper.readTree(item.line()).get("transactionId").textValue()).isEqualTo(transactionId);
        });
    }
}
