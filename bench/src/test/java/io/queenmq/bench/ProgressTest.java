package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void onATerminalOneLineIsRewrittenAndLeftEmpty() {
        tell(new Progress(new PrintStream(out), true));

        assertThat(out.toString()).isEqualTo("\r\u001b[Kbegins\r\u001b[Kgoes on\r\u001b[K");
    }

    @Test
    void elsewhereEachEventIsALine() {
        tell(new Progress(new PrintStream(out), false));

        assertThat(out.toString().lines()).containsExactly("begins");
    }

    private static void tell(Progress progress) {
        progress.event("begins");
        progress.update("goes on");
        progress.end();
        progress.end();
    }
}
