package io.queenmq.client.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Times that the server cannot keep are refused, not rounded. */
class QueueOptionsTest {
    private final QueueOptions options = QueueOptions.of();

    @Test
    void timesAreWholeUnitsOfTheServer() {
        assertThat(options.leaseTime(Duration.ofMillis(2000)).values()).containsEntry("leaseTime", 2L);
        assertThat(options.retryDelay(Duration.ofMillis(1500)).values()).containsEntry("retryDelay", 1500L);
        assertThat(options.dedupWindow(Duration.ZERO).values()).containsEntry("dedupWindowSeconds", 0L);
    }

    @Test
    void othersAreRefused() {
        assertThatThrownBy(() -> options.leaseTime(Duration.ofMillis(1500)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("leaseTime must be a whole number of seconds, but is PT1.5S");
        assertThatThrownBy(() -> options.ttl(Duration.ofMillis(999))).hasMessageContaining("ttl");
        assertThatThrownBy(() -> options.retention(Duration.ofSeconds(-1))).hasMessageContaining("retentionSeconds");
        assertThatThrownBy(() -> options.retryDelay(Duration.ofNanos(1))).hasMessageContaining("milliseconds");
    }

    @Test
    void aNameThatTheServerWouldPassOverIsRefused() {
        assertThatThrownBy(() -> options.with("leasetime", 3)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'leasetime'").hasMessageContaining("leaseTime");
    }

    @Test
    void aLeaseLastsForSomeTime() {
        assertThatThrownBy(() -> options.leaseTime(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leaseTime");
    }
}
