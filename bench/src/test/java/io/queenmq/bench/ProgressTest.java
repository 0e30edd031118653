package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void aTerminalHasOneLineThatIsRewrittenAndRemoved() {
        show(new Progress(new PrintStream(out), true));

        assertThat(out.toString()).isEqualTo("\r\u001b[Kbegins\r\u001b[Kcontinues\r\u001b[K");
    }

    @Test
    void otherwiseEachEventIsALine() {
        show(new Progress(new PrintStream(out), false));

        assertThat(out.toString().lines()).containsExactly("begins");
    }

    private static void show(Progress progress) {
        progress.event("begins");
        progress.update("continues");
        progress.end();
        progress.end();
    }
}
