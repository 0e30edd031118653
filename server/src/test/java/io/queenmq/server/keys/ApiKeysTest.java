package io.queenmq.server.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.ApiKey;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Loaded keys stay correct while the database does not respond, responds late, or returns an unexpected document. */
class ApiKeysTest {
    private static final long NOW = 1_000;

    private final Vertx vertx = Vertx.vertx();
    private final ApiKey.Text text = ApiKey.Text.create(new SecureRandom());
    private final List<OperatorCall> calls = new ArrayList<>();
    private volatile Consumer<OperatorCall> database = call -> call.reply().fail(new Failure.Unavailable("away"));
    private final AtomicLong nowNs = new AtomicLong();
    private final Clock clock = new Clock() {
        @Override
        public long nowNs() {
            return nowNs.get();
        }

        @Override
        public long epochMs() {
            return NOW;
        }
    };
    private ApiKeys keys;

    @AfterEach
    void close() {
        keys.close();
        vertx.close();
    }

    private void open() {
        keys = ApiKeys.open(vertx, call -> {
            synchronized (calls) {
                calls.add(call);
            }
            database.accept(call);
        }, clock);
    }

    private static Consumer<OperatorCall> answer(String document) {
        return call -> call.reply().succeed(new OperatorOutcome.Document(document));
    }

    private String one(String rights) {
        return "{\"id\":\"" + text.id() + "\",\"name\":\"k\",\"hash\":\"" + HexFormat.of().formatHex(text.hash())
                + "\",\"role\":null,\"rights\":" + rights + ",\"expiresAtMs\":null}";
    }

    private KeyVerdict verdict() {
        return keys.verify(text.whole(), NOW);
    }

    @Test
    void keysAreUnavailableBeforeTheFirstLoad() {
        open();
        assertThat(verdict()).isInstanceOf(KeyVerdict.Unavailable.class);
    }

    @Test
    void aLoadedKeyIsAcceptedWhileTheDatabaseIsUnavailable() {
        database = answer("{\"revision\":1,\"keys\":[" + one("[\"push:a\"]") + "]}");
        open();
        database = call -> call.reply().fail(new Failure.Unavailable("away"));
        keys.loadAgain().handle((_, _) -> null).join();
        String unknown = ApiKey.Text.create(new SecureRandom()).whole();
        assertThat(keys.verify(unknown, NOW)).isInstanceOf(KeyVerdict.Rejected.class);

        nowNs.addAndGet(Duration.ofSeconds(6).toNanos());
        assertThat(verdict()).isInstanceOf(KeyVerdict.Accepted.class);
        // It may have been created since.
        assertThat(keys.verify(unknown, NOW)).isInstanceOf(KeyVerdict.Unavailable.class);

        nowNs.addAndGet(ApiKeys.KEPT_MAX.toNanos());
        assertThat(verdict()).isInstanceOf(KeyVerdict.Unavailable.class);
        database = answer("{\"revision\":1,\"keys\":null}");
        keys.loadAgain().join();
        assertThat(verdict()).isInstanceOf(KeyVerdict.Accepted.class);
    }

    @Test
    void anUnchangedRevisionKeepsTheKeysAndALaterOneReplacesThem() {
        database = answer("{\"revision\":1,\"keys\":[" + one("[\"push:a\"]") + "]}");
        open();
        var before = ((KeyVerdict.Accepted) verdict()).identity();
        database = answer("{\"revision\":1,\"keys\":null}");
        keys.loadAgain().join();
        assertThat(verdict()).isInstanceOf(KeyVerdict.Accepted.class);

        database = answer("{\"revision\":2,\"keys\":[]}");
        keys.loadAgain().join();

        assertThat(verdict()).isInstanceOf(KeyVerdict.Rejected.class);
        assertThat(before.isInForce(NOW)).isFalse();
    }

    @Test
    void aKeyWithMalformedRightsIsRejected() {
        database = answer("{\"revision\":1,\"keys\":[" + one("[\"fly:a\"]") + "]}");
        open();
        assertThat(verdict()).isInstanceOf(KeyVerdict.Rejected.class);
    }

    @Test
    void aMalformedResponseHasNoEffect() {
        database = answer("{\"revision\":1,\"keys\":[" + one("[\"push:a\"]") + "]}");
        open();
        for (String nonsense : List.of("{", "{\"keys\":[{}]}", "[]")) {
            database = answer(nonsense);
            keys.loadAgain().handle((_, _) -> null).join();
            assertThat(verdict()).as(nonsense).isInstanceOf(KeyVerdict.Accepted.class);
        }
    }

    @Test
    void aChangeThatWasCommittedDuringALoadIsLoadedByTheNextOne() {
        database = answer("{\"revision\":1,\"keys\":[]}");
        open();
        List<OperatorCall> held = new ArrayList<>();
        database = held::add;
        var first = keys.loadAgain();
        var second = keys.loadAgain();
        database = answer("{\"revision\":2,\"keys\":[" + one("[\"push:a\"]") + "]}");
        held.getFirst().reply().succeed(new OperatorOutcome.Document("{\"revision\":1,\"keys\":null}"));

        first.join();
        second.join();

        assertThat(verdict()).isInstanceOf(KeyVerdict.Accepted.class);
    }

    @Test
    void aLoadWithoutAResponseTimesOutAndItsLateResponseIsIgnored() throws Exception {
        database = answer("{\"revision\":1,\"keys\":[" + one("[\"push:a\"]") + "]}");
        open();
        BlockingQueue<OperatorCall> held = new LinkedBlockingQueue<>();
        database = held::add;
        OperatorCall silent = held.take();
        nowNs.addAndGet(Duration.ofSeconds(6).toNanos());
        OperatorCall next = held.take();
        database = answer("{\"revision\":2,\"keys\":null}");
        next.reply().succeed(new OperatorOutcome.Document("{\"revision\":2,\"keys\":[]}"));

        silent.reply().succeed(new OperatorOutcome.Document("{\"revision\":1,\"keys\":[" + one("[\"push:a\"]") + "]}"));

        assertThat(verdict()).isInstanceOf(KeyVerdict.Rejected.class);
    }

    @Test
    void theLastUseIsReportedOnceForManyUses() {
        database = answer("{\"revision\":1,\"keys\":[" + one("[\"push:a\"]") + "]}");
        open();
        for (int i = 0; i < 100; i++) {
            verdict();
        }
        keys.reportUse();
        keys.reportUse();

        synchronized (calls) {
            assertThat(calls.stream().filter(call -> call.routine().equals("record_key_use"))).hasSize(1);
        }
    }

    @Test
    void theTextOfAKeyDoesNotContainTheSecret() {
        open();
        assertThat(text.toString()).contains(text.id()).doesNotContain(text.secret());
        assertThat(ApiKey.Text.create(new SecureRandom()).secret()).hasSize(43).isNotEqualTo(text.secret());
    }
}
