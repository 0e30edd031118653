package io.queenmq.server.http.server;

import static io.queenmq.server.http.server.Bodies.Verdict.CONTINUE;
import static io.queenmq.server.http.server.Bodies.Verdict.REJECT;
import static io.queenmq.server.http.server.Bodies.Verdict.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.http.server.Bodies.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class BodiesTest {
    private static final long NOT_ANNOUNCED = -1;

    /** 400 bytes for received bytes, of which 200 before bodies wait, and 400 bytes for admitted bodies. */
    private final Bodies bodies = new Bodies(800);
    private final List<String> called = new ArrayList<>();

    @Test
    void aContentLengthAloneUsesNoMemory() {
        for (int i = 0; i < 100; i++) {
            assertThat(body("announced", 1_000_000).add(1)).isEqualTo(CONTINUE);
        }

        assertThat(bodies.held()).isEqualTo(100);
    }

    @Test
    void anIncompleteBodyWaitsAboveTheThreshold() {
        body("first", 200).add(200);
        body("large", 390).add(10);

        Body second = body("second", 100);
        assertThat(second.add(50)).isEqualTo(WAIT);
        assertThat(bodies.waiting()).isEqualTo(1);
        assertThat(body("small", 50).add(50)).isEqualTo(CONTINUE);
    }

    @Test
    void waitingBodiesAreAdmittedInOrder() {
        body("crowd", 200).add(200);
        Body large = body("large", 380);
        assertThat(large.add(1)).isEqualTo(CONTINUE);
        assertThat(body("a", 100).add(1)).isEqualTo(WAIT);
        assertThat(body("b", 100).add(1)).isEqualTo(WAIT);
        assertThat(called).isEmpty();

        large.close();

        assertThat(called).containsExactly("a", "b");
        assertThat(bodies.waiting()).isZero();
        assertThat(bodies.held()).isEqualTo(200 + 100 + 100);
    }

    @Test
    void anAdmittedBodyCanBeReadCompletely() {
        body("crowd", 200).add(200);
        Body large = body("large", 380);
        large.add(1);
        body("waiting", 100).add(1);

        for (int i = 1; i < 380; i++) {
            assertThat(large.add(1)).isEqualTo(CONTINUE);
        }
    }

    @Test
    void aBodyLargerThanTheLimitIsAdmittedAlone() {
        body("crowd", 200).add(200);
        Body huge = body("huge", 10_000);
        assertThat(huge.add(1)).isEqualTo(CONTINUE);
        assertThat(body("other", 100).add(1)).isEqualTo(WAIT);

        huge.close();

        assertThat(called).containsExactly("other");
    }

    @Test
    void aClosedBodyLeavesTheQueue() {
        body("crowd", 200).add(200);
        Body large = body("large", 380);
        large.add(1);
        Body gone = body("gone", 100);
        gone.add(1);
        body("next", 100).add(1);

        gone.close();
        large.close();

        assertThat(called).containsExactly("next");
        assertThat(bodies.held()).isEqualTo(200 + 100);
    }

    @Test
    void bodiesAboveTheFirstHalfAreRejected() {
        body("crowd", 390).add(200);
        body("more", 190).add(190);

        Body late = body("late", 20);
        assertThat(late.add(20)).isEqualTo(REJECT);
        late.close();
        assertThat(body("tiny", 5).add(5)).isEqualTo(CONTINUE);
    }

    @Test
    void aBodyWithoutALengthGrowsWithinTheLimit() {
        Bodies wide = new Bodies(1024 * 1024);
        Body body = wide.open(NOT_ANNOUNCED, () -> {});
        for (int i = 0; i < 4 * 1024; i++) {
            assertThat(body.add(1024)).isEqualTo(CONTINUE);
        }

        body.close();

        assertThat(wide.held()).isZero();
    }

    @Test
    void bytesAreReleasedOnce() {
        Body body = body("a", 100);
        body("b", 100).add(10);
        body.add(50);

        body.close();
        body.close();

        assertThat(bodies.held()).isEqualTo(10);
    }

    @Test
    void concurrentBodiesAreAllAdmittedAndAllBytesAreReleased() throws InterruptedException {
        Bodies shared = new Bodies(20_000);
        List<Thread> loops = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            SplittableRandom random = new SplittableRandom(t);
            loops.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 2_000; i++) {
                    readOne(shared, random.nextInt(1, 20_000));
                }
            }));
        }
        for (Thread loop : loops) {
            loop.join(60_000);
            assertThat(loop.isAlive()).isFalse();
        }

        assertThat(shared.held()).isZero();
        assertThat(shared.waiting()).isZero();
    }

    private static void readOne(Bodies shared, int length) {
        Semaphore isCalled = new Semaphore(0);
        Body body = shared.open(length, isCalled::release);
        for (int read = 0; read < length; read += 1_000) {
            switch (body.add(Math.min(1_000, length - read))) {
                case CONTINUE -> {
                }
                case WAIT -> isCalled.acquireUninterruptibly();
                case REJECT -> read = length;
            }
        }
        body.close();
    }

    private Body body(String name, long announced) {
        return bodies.open(announced, () -> called.add(name));
    }
}
