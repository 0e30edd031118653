package io.queenmq.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.server.config.UpkeepConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpkeepJobsTest {
    private static final List<String> SHARDS = List.of("queen_00", "queen_01", "queen_02");
    private static final UpkeepConfig CONFIG = new UpkeepConfig(new UpkeepConfig.Removal(Duration.ofSeconds(300), 10),
            new UpkeepConfig.Removal(Duration.ofSeconds(20), 10), new UpkeepConfig.DaysKept(7, 30, 90),
            Duration.ofSeconds(60), true);

    private final Map<String, UpkeepJob> jobs = new UpkeepJobs("queen_api", CONFIG,
            new PayloadCipher(new EncryptionConfig(null, List.of())),
            new UpkeepMeters(new SimpleMeterRegistry(), () -> true), () -> false).all().stream()
            .collect(Collectors.toMap(UpkeepJob::name, Function.identity()));

    @ParameterizedTest(name = "{0}: every {1} s, runs of a pass {2}")
    @CsvSource({"operations,      1,   1", "binding,         60,  1", "keys,            60,  3",
        "eviction,        20,  3", "retention,       300, 3", "idle_partitions, 300, 3", "roll_off,        300, 3",
        "audit,           300, 1"})
    void aJobRunsAtItsIntervalInEveryShardOrOnce(String name, long everySeconds, int runs) {
        UpkeepJob job = jobs.get(name);

        assertThat(job.interval()).isEqualTo(Duration.ofSeconds(everySeconds));
        assertThat(job.shardsOf(SHARDS)).isEqualTo(SHARDS.subList(0, runs));
    }

    @Test
    void theTableContainsAllJobs() {
        assertThat(jobs).hasSize(8);
    }
}
