package io.queenmq.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageStepTest {
    private static final UUID OPERATION = UUID.fromString("0190a5e0-0000-7000-8000-00000000000a");
    private static final String RUNNING = "{\"moved\": 5, \"inProgress\": true, \"operationId\": \"" + OPERATION
            + "\"}";

    @Test
    void aChangeInProgressContinuesWithItsNextPage() {
        assertThat(PageStep.of(RUNNING, false)).isEqualTo(new PageStep.Continue(OPERATION));
    }

    @Test
    void aChangeInProgressIsDetachedWhenTheTimeIsUp() {
        assertThat(PageStep.of(RUNNING, true)).isEqualTo(new PageStep.Detach(RUNNING));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"deleted\": true}",
        "{\"inProgress\": false, \"operationId\": \"0190a5e0-0000-7000-8000-00000000000a\"}", "{\"inProgress\": true}"})
    void anyOtherDocumentIsComplete(String json) {
        assertThat(PageStep.of(json, false)).isEqualTo(new PageStep.Complete(json));
        assertThat(PageStep.of(json, true)).as("when the time is up").isEqualTo(new PageStep.Complete(json));
    }
}
