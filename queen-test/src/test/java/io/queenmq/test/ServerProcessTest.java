package io.queenmq.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The process of the server: its files for all platforms, and its reports. */
class ServerProcessTest {
    /** The platform is chosen at run time, so the artifacts of all platforms are dependencies. */
    @ParameterizedTest
    @CsvSource({"Linux, amd64", "Linux, aarch64", "Mac OS X, x86_64", "Mac OS X, aarch64"})
    void everyPlatformHasPostgres(String os, String processor) {
        assertThat(getClass().getClassLoader().getResource(ServerProcess.archive(os, processor))).isNotNull();
    }

    @Test
    void aFailedStatementIsReportedAndTheServerContinues() {
        TestQueen server = TestQueen.shared();
        assertThat(server.home().path().resolve("server.log")).exists();
        assertThat(ProcessHandle.current().children().flatMap(each -> each.info().command().stream()))
                .anyMatch(each -> each.endsWith("java"));
        assertThatThrownBy(() -> server.query("select 1 / 0")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("division by zero");
        assertThat(server.query("select 1")).containsExactly("1");
    }
}
