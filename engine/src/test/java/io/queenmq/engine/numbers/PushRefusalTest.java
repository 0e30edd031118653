package io.queenmq.engine.numbers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The routine that makes the metrics of queues lists the same reasons, so that each has a series before it occurs. */
class PushRefusalTest {
    private static final Pattern REASONS = Pattern.compile("'queen_push_refused_total', array\\[([^\\]]*)\\]");

    @Test
    void everyReasonHasASeries() throws IOException {
        try (var sql = PushRefusal.class.getResourceAsStream("/queen/schema/numbers/internal/metrics_of_queues.sql")) {
            var reasons = REASONS.matcher(new String(sql.readAllBytes(), UTF_8));

            assertThat(reasons.find()).isTrue();
            assertThat(reasons.group(1).replace("'", "").split(", ")).containsExactlyInAnyOrderElementsOf(
                    Arrays.stream(PushRefusal.values()).map(PushRefusal::label).toList());
        }
    }
}
