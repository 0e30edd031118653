package io.queenmq.engine.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnnouncedQueuesTest {
    private final ManualClock clock = new ManualClock();
    private final List<String> lookups = new ArrayList<>();
    private final AnnouncedQueues queues = new AnnouncedQueues(new Timers(clock), lookups::add);

    @Test
    void aNotificationIsFollowedByTwoMoreLookups() {
        queues.announced("a");
        assertThat(lookups).containsExactly("a");

        clock.pass(20);
        assertThat(lookups).hasSize(2);
        clock.pass(100);
        assertThat(lookups).hasSize(3);
        clock.pass(10_000);
        assertThat(lookups).hasSize(3);
    }

    @Test
    void notificationsInQuickSuccessionShareTheirFollowUps() {
        for (int i = 0; i < 100; i++) {
            queues.announced("a");
            clock.pass(1);
        }
        lookups.clear();

        clock.pass(10_000);

        assertThat(lookups).hasSize(2);
    }

    @Test
    void aLookupFollowsALateNotificationByAtLeastTheFirstDelay() {
        queues.announced("a");
        clock.pass(119);
        queues.announced("a");
        clock.pass(1);
        lookups.clear();

        clock.pass(200);

        assertThat(lookups).hasSize(1);
    }

    @Test
    void eachQueueHasItsOwnFollowUps() {
        queues.announced("a");
        clock.pass(10);
        queues.announced("b");
        clock.pass(10_000);

        assertThat(lookups).containsExactlyInAnyOrder("a", "a", "a", "b", "b", "b");
    }
}
