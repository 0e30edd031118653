package io.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of binaries at run time: the jar is the same on all machines. */
class PlatformTest {
    @ParameterizedTest
    @CsvSource({"Linux, amd64, postgres-linux-x86_64.txz", "Linux, aarch64, postgres-linux-arm_64.txz",
        "Mac OS X, x86_64, postgres-darwin-x86_64.txz", "Mac OS X, aarch64, postgres-darwin-arm_64.txz"})
    void theArchiveIsTheOneOfThePlatform(String os, String processor, String archive) {
        var platform = Platform.of(os, processor);
        assertThat(platform.archive()).isEqualTo(archive);
        assertThat(platform.version()).matches("18\\.\\d+\\.\\d+");
    }

    @Test
    void anUnknownPlatformIsReported() {
        assertThatThrownBy(() -> Platform.of("Windows 11", "amd64")).isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("Windows 11 on amd64").hasMessageContaining("PG_HOST");
    }
}
