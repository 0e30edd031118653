package io.queenmq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
    @TempDir
    private Path target;

    @Test
    void anInstalledProgramIsNotInstalledAgain() {
        var packages = new FakePackages(true, true);

        assertThat(in(packages).ensure(Program.TMUX)).isTrue();

        assertThat(packages.installed).isEmpty();
        assertThat(missing("tmux")).doesNotExist();
    }

    @Test
    void aMissingProgramIsInstalledOnce() {
        var packages = new FakePackages(false, true);

        assertThat(in(packages).ensure(Program.TMUX)).isTrue();
        assertThat(in(packages).ensure(Program.TMUX)).isTrue();

        assertThat(packages.installed).containsExactly(Program.TMUX);
        assertThat(missing("tmux")).doesNotExist();
    }

    @Test
    void aFailedInstallationIsTriedOnceAndReported() {
        var packages = new FakePackages(false, false);

        assertThat(in(packages).ensure(Program.TMUX)).isFalse();
        assertThat(in(packages).ensure(Program.TMUX)).isFalse();

        assertThat(packages.installed).containsExactly(Program.TMUX);
        assertThat(missing("tmux")).exists();
        assertThat(missing("chromium")).doesNotExist();
    }

    /** Like one more JVM of the same build. */
    private Installation in(FakePackages packages) {
        return new Installation(target.resolve("missing-programs"), packages);
    }

    private Path missing(String program) {
        return target.resolve("missing-programs").resolve(program);
    }

    private static final class FakePackages implements Installation.Packages {
        final List<Program> installed = new ArrayList<>();
        private final boolean works;
        private boolean isThere;

        FakePackages(boolean isThere, boolean works) {
            this.isThere = isThere;
            this.works = works;
        }

        @Override
        public boolean has(Program program) {
            return isThere;
        }

        @Override
        public void install(Program program, Path log) {
            installed.add(program);
            isThere = works;
        }
    }
}
