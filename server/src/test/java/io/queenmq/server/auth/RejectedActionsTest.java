package io.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RejectedActionsTest {
    private static final String ACTION = "DELETE /api/v1/resources/queues/:queue";

    private final RejectedActions actions = new RejectedActions();

    @Test
    void equalRejectionsAreOneRecordAMinuteWithTheirCount() {
        add("10.0.0.7", 1);
        List<RejectedAction> first = actions.due(0);
        assertThat(first).containsExactly(
                new RejectedAction("ada", "10.0.0.7", ACTION, Rejection.FORBIDDEN, "/api/v1/resources/queues/q0", 1));
        actions.recorded(first, 0);
        add("10.0.0.7", 500);

        assertThat(actions.due(RejectedActions.RECORD_EVERY_NS - 1)).isEmpty();
        assertThat(actions.due(RejectedActions.RECORD_EVERY_NS)).extracting(RejectedAction::count)
                .containsExactly(500L);
    }

    @Test
    void recordsThatCouldNotBeStoredAreDueAgain() {
        add("10.0.0.7", 2);
        assertThat(actions.due(0)).extracting(RejectedAction::count).containsExactly(2L);
        add("10.0.0.7", 1);

        assertThat(actions.due(1)).extracting(RejectedAction::count).containsExactly(3L);
    }

    @Test
    void differentActorsAddressesActionsAndReasonsAreDifferentRecords() {
        actions.add("ada", "a", ACTION, Rejection.FORBIDDEN, "/");
        actions.add(null, "a", ACTION, Rejection.NO_TOKEN, "/");
        actions.add("ada", "b", ACTION, Rejection.FORBIDDEN, "/");
        actions.add("ada", "a", "POST /x", Rejection.FORBIDDEN, "/");

        assertThat(actions.due(0)).hasSize(4);
    }

    @Test
    void theNumberOfRecordsIsBoundedAndNoRejectionIsLost() {
        for (int i = 0; i < 5_000; i++) {
            add("address " + i, 1);
        }
        List<RejectedAction> due = actions.due(0);

        assertThat(due).hasSize(RejectedActions.KINDS_MAX + 1);
        assertThat(due.stream().mapToLong(RejectedAction::count).sum()).isEqualTo(5_000);

        actions.recorded(due, 0);
        assertThat(actions.due(RejectedActions.RECORD_EVERY_NS)).isEmpty();
        add("another", 1);
        assertThat(actions.due(RejectedActions.RECORD_EVERY_NS)).extracting(RejectedAction::address)
                .containsExactly("another");
    }

    @Test
    void pathsAreShortTextThatPostgresqlAccepts() {
        actions.add("ada", "a", ACTION, Rejection.FORBIDDEN, "/a\0b\n\ud83d" + "x".repeat(10_000));

        assertThat(actions.due(0).getFirst().path()).startsWith("/a?b??xxx").hasSize(201);
    }

    private void add(String address, int times) {
        for (int i = 0; i < times; i++) {
            actions.add("ada", address, ACTION, Rejection.FORBIDDEN, "/api/v1/resources/queues/q" + i);
        }
    }
}
