package io.queenmq.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class TestDirectoryTest {
    /** Two modules that are tested concurrently must not use the same database. */
    @Test
    void theDirectoryStaysLockedAfterGarbageCollection() throws Exception {
        Path home = TestQueen.shared().home().path();
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20); // unreferenced files are closed by another thread
        }

        try (var lock = FileChannel.open(Path.of(home + ".lock"), StandardOpenOption.WRITE)) {
            assertThatThrownBy(lock::tryLock).isInstanceOf(OverlappingFileLockException.class);
        }
    }
}
