package io.queenmq.client.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.queue.QueueOption;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Fractions of the server's time units are rejected, not rounded. */
class QueueOptionsTest {
    /** A value for each type that a method takes. */
    private static final Map<Class<?>, Object> SAMPLES = Map.of(Duration.class, Duration.ofSeconds(2), int.class, 2,
            long.class, 2L, double.class, 2.0, boolean.class, true);

    private final QueueOptions options = QueueOptions.of();

    @Test
    void timesAreConvertedToUnitsOfTheServer() {
        assertThat(options.leaseTime(Duration.ofMillis(2000)).values()).containsEntry("leaseTime", 2L);
        assertThat(options.retryDelay(Duration.ofMillis(1500)).values()).containsEntry("retryDelay", 1500L);
        assertThat(options.dedupWindow(Duration.ZERO).values()).containsEntry("dedupWindowSeconds", 0L);
    }

    @Test
    void fractionsOfUnitsAreRejected() {
        assertThatThrownBy(() -> options.leaseTime(Duration.ofMillis(1500)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("leaseTime must be a whole number of seconds, but is PT1.5S");
        assertThatThrownBy(() -> options.ttl(Duration.ofMillis(999))).hasMessageContaining("ttl");
        assertThatThrownBy(() -> options.retention(Duration.ofSeconds(-1))).hasMessageContaining("retentionSeconds");
        assertThatThrownBy(() -> options.retryDelay(Duration.ofNanos(1))).hasMessageContaining("milliseconds");
    }

    @Test
    void anUnknownOptionIsRejected() {
        assertThatThrownBy(() -> options.with("leasetime", 3)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'leasetime'").hasMessageContaining("leaseTime");
    }

    @Test
    void aLeaseLastsForSomeTime() {
        assertThatThrownBy(() -> options.leaseTime(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leaseTime");
    }

    /** The client cannot depend on the server, so it repeats the options. */
    @Test
    void everyOptionOfTheServerHasANameAndAMethod() throws ReflectiveOperationException {
        Set<String> ofServer = Arrays.stream(QueueOption.values()).map(QueueOption::key).collect(Collectors.toSet());
        Set<String> ofMethods = new TreeSet<>();
        for (Method method : QueueOptions.class.getMethods()) {
            if (method.getReturnType() == QueueOptions.class && method.getParameterCount() == 1) {
                ofMethods.addAll(((QueueOptions) method.invoke(options, SAMPLES.get(method.getParameterTypes()[0])))
                        .values().keySet());
            }
        }

        assertThat(QueueOptions.NAMES).as("QueueOptions.NAMES").isEqualTo(ofServer);
        assertThat(ofMethods).as("options that methods of QueueOptions set").isEqualTo(ofServer);
    }
}
