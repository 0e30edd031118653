package io.queenmq.engine.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.harness.ScriptedSessions;
import io.queenmq.engine.harness.TestConfig;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BatchesTest {
    private static final EngineConfig CONFIG = TestConfig
            .of(Map.of("DB_UNAVAILABLE_AFTER_MS", "3000", "MAX_CALLS_IN_FLIGHT", "1")).engine();

    private final ManualClock clock = new ManualClock();
    private final Timers timers = new Timers(clock);
    private final ScriptedSessions postgres = new ScriptedSessions();
    private final ConnectionPool connections = new ConnectionPool(postgres, () -> new Place("scripted", 1),
            new DatabaseHistory(timers), Duration.ofSeconds(2), Duration.ofSeconds(10), 2, timers);
    private final Carried carrier = new Carried();
    private final Batches<String, String> batches = new Batches<>(context(), Operation.ACK, connections, carrier);

    private EngineContext context() {
        ShardConnections unused = new ShardConnections(Shards.ONE, (_, _) -> postgres, _ -> new Place("scripted", 1),
                Duration.ofSeconds(2), Duration.ofSeconds(10), timers);
        return new EngineContext("api", unused, timers, CONFIG, new BatchMeters(new SimpleMeterRegistry()));
    }

    BatchesTest() {
        connections.open();
    }

    @Test
    void aRejectedBatchIsHalvedUntilTheCauseIsAlone() {
        carrier.fails("23514", batch -> batch.contains("culprit"));

        offerTogether("a", "b", "culprit", "c", "d");
        clock.pass(1_000);

        assertThat(carrier.settled).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(carrier.refused).containsOnlyKeys("culprit");
        assertThat(carrier.refused.get("culprit")).isInstanceOf(Failure.Refused.class);
    }

    @Test
    @DisplayName("a request that fails repeatedly is rejected in time, wherever it waits")
    void aRequestThatFailsRepeatedlyIsRefusedInTime() {
        carrier.fails("40001", _ -> true);

        offerTogether("a", "b");
        clock.pass(2_900);
        assertThat(carrier.refused).isEmpty();
        clock.pass(700);

        assertThat(carrier.refused).containsOnlyKeys("a", "b");
        assertThat(carrier.refused.get("a")).isInstanceOf(Failure.Unavailable.class);
    }

    @Test
    @DisplayName("a request that hits the statement timeout alone is rejected and not repeated unchanged")
    void aRequestThatTimesOutAloneIsNotRepeated() {
        carrier.fails("57014", _ -> true);

        carrier.holdsAnswers = true;
        batches.offer("large");
        clock.pass(5_000);
        carrier.answerHeld();
        clock.pass(5_000);

        assertThat(carrier.refused).containsOnlyKeys("large");
        assertThat(carrier.refused.get("large").message()).contains("57014");
        assertThat(carrier.batches).containsExactly(List.of("large"));
    }

    @Test
    @DisplayName("requests that time out together are retried in smaller batches")
    void aBatchThatTimesOutIsHalved() {
        carrier.fails("57014", batch -> batch.size() > 1);

        carrier.holdsAnswers = true;
        batches.offer("first");
        batches.offer("a");
        batches.offer("b");
        carrier.answerHeld();
        clock.pass(5_000);
        carrier.holdsAnswers = false;
        carrier.answerHeld();
        clock.pass(100);

        assertThat(carrier.settled).containsExactlyInAnyOrder("first", "a", "b");
    }

    @Test
    @DisplayName("a request that waits too long for slow calls is rejected")
    void aRequestThatWaitsTooLongIsRefused() {
        postgres.answer((_, _) -> ScriptedSessions.silence());
        carrier.callsDatabase = true;

        batches.offer("under way");
        batches.offer("waiting");
        postgres.setReachable(false);
        clock.pass(14_000);

        assertThat(carrier.refused.keySet()).contains("waiting");
    }

    @Test
    @DisplayName("statements that wait for a lock are isolated, and the others succeed")
    void aLockedRowDelaysNoOtherRequest() {
        carrier.fails("55P03", batch -> batch.contains("locked"));

        offerTogether("a", "locked", "b", "c");
        clock.pass(100);

        assertThat(carrier.settled).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(carrier.refused).isEmpty();
    }

    @Test
    @DisplayName("a full disk does not split the batch: requests are rejected with the reason, and health reports it")
    void aFullDiskDoesNotSplitTheBatch() {
        carrier.fails("53100", _ -> true);
        offerTogether("a", "b", "c", "d", "e", "f", "g", "h");
        clock.pass(100);
        int soon = carrier.batches.size();

        clock.pass(3_500);

        assertThat(soon).isLessThan(8);
        assertThat(carrier.batches).allSatisfy(batch -> assertThat(batch.size()).isIn(1, 7, 8));
        assertThat(carrier.refused).hasSize(8)
                .allSatisfy((_, failure) -> assertThat(failure).isInstanceOf(Failure.Unavailable.class));
        assertThat(connections.unavailableReason()).isEqualTo("simulated 53100");

        carrier.fails("53100", _ -> false);
        batches.offer("later");
        assertThat(connections.unavailableReason()).isNull();
    }

    @Test
    void missingRoutinesDoNotSplitTheBatch() {
        List<String> reported = new ArrayList<>();
        connections.onSchemaMissing(message -> {
            reported.add(message);
            return "missing: " + message;
        });
        for (String state : List.of("3F000", "42883", "42P01", "42703")) {
            carrier.fails(state, _ -> true);
            offerTogether("a " + state, "b " + state);
            clock.pass(3_500);

            assertThat(carrier.refused.get("a " + state)).isInstanceOf(Failure.Unavailable.class);
            assertThat(carrier.refused.get("b " + state)).isInstanceOf(Failure.Unavailable.class);
            assertThat(connections.unavailableReason()).isEqualTo("missing: simulated " + state);
            assertThat(reported).contains("simulated " + state);

            carrier.fails(state, _ -> false);
            batches.offer("later " + state);
            assertThat(connections.unavailableReason()).isNull();
        }
    }

    @Test
    @DisplayName("a response that cannot be used fails only its request, and the connection is released")
    void anExceptionInSettleFailsOnlyItsRequest() {
        carrier.throwsFor = "broken";

        offerTogether("a", "broken", "b");
        clock.pass(100);
        batches.offer("later");

        assertThat(carrier.settled).containsExactlyInAnyOrder("a", "b", "later");
        assertThat(carrier.refused).containsOnlyKeys("broken");
        assertThat(connections.busyCount()).isZero();
    }

    @Test
    @DisplayName("an exception in a call releases its connection")
    void anExceptionInACallRefusesItsRequests() {
        carrier.throwsInCall = true;
        batches.offer("a");
        carrier.throwsInCall = false;
        batches.offer("b");

        assertThat(carrier.refused).containsOnlyKeys("a");
        assertThat(carrier.refused.get("a")).as("the outcome is unknown").isInstanceOf(Failure.Unavailable.class);
        assertThat(carrier.settled).containsExactly("b");
        assertThat(connections.busyCount()).isZero();
    }

    @Test
    void aLostBatchIsRepeatedAndTheRequestThatBreaksConnectionsIsFound() {
        carrier.failure = batch -> batch.contains("poison") ? new VertxException("connection lost", true) : null;

        offerTogether("a", "poison", "b");
        clock.pass(4_000);

        assertThat(carrier.settled).containsExactlyInAnyOrder("a", "b");
        assertThat(carrier.refused).containsOnlyKeys("poison");
        assertThat(carrier.refused.get("poison")).isInstanceOf(Failure.Unavailable.class);
    }

    @Test
    void theBytesOfACallAreBounded() {
        carrier.bytes = 3 << 20;

        offerTogether("a", "b", "c", "d");
        clock.pass(100);

        assertThat(carrier.settled).hasSize(4);
        assertThat(carrier.batches).allSatisfy(batch -> assertThat(batch.size()).isLessThanOrEqualTo(2));
    }

    /** The first command is sent at once, and the others together after it. */
    private void offerTogether(String... commands) {
        carrier.holdsAnswers = true;
        for (String command : commands) {
            batches.offer(command);
        }
        carrier.holdsAnswers = false;
        carrier.answerHeld();
    }

    private final class Carried implements Carrier<String, String> {
        final List<List<String>> batches = new ArrayList<>();
        final List<String> settled = new ArrayList<>();
        final Map<String, Failure> refused = new LinkedHashMap<>();
        final List<Runnable> held = new ArrayList<>();
        java.util.function.Function<List<String>, Throwable> failure = _ -> null;
        String throwsFor;
        boolean throwsInCall;
        boolean callsDatabase;
        boolean holdsAnswers;
        long bytes;

        void fails(String state, Predicate<List<String>> when) {
            failure = batch -> when.test(batch) ? new PgException("simulated " + state, "ERROR", state, null) : null;
        }

        void answerHeld() {
            List<Runnable> answers = List.copyOf(held);
            held.clear();
            answers.forEach(Runnable::run);
        }

        @Override
        public Future<List<String>> carry(Connection connection, List<String> batch) {
            batches.add(List.copyOf(batch));
            if (throwsInCall) {
                throw new IllegalStateException("a defect");
            }
            if (callsDatabase) {
                return connection.call("select 1", Tuple.tuple()).map(List.copyOf(batch));
            }
            if (holdsAnswers) {
                io.vertx.core.Promise<List<String>> later = io.vertx.core.Promise.promise();
                held.add(() -> answer(batch).onComplete(later));
                return later.future();
            }
            return answer(batch);
        }

        private Future<List<String>> answer(List<String> batch) {
            Throwable cause = failure.apply(batch);
            return cause != null ? Future.failedFuture(cause) : Future.succeededFuture(List.copyOf(batch));
        }

        @Override
        public void settle(String command, String answer) {
            if (command.equals(throwsFor)) {
                throw new IllegalStateException("a defect");
            }
            settled.add(answer);
        }

        @Override
        public void refuse(String command, Failure why) {
            assertThat(refused.put(command, why)).isNull();
        }

        @Override
        public long bytes(String command) {
            return bytes;
        }
    }
}
