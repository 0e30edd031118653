package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A program whose main method only starts a consumer lives until that consumer is closed. Each test is such a program, in its own JVM. */
class KeepAliveTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private Process program;

    /** Its arguments: the URL of the server and the name of a queue. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            Queen queen = Queen.connect(arguments[0]);
            queen.queue(arguments[1], String.class).group("billing").consumer().drainWithin(Duration.ofMillis(100))
                    .start(delivery -> {
                        System.out.println(delivery.value());
                        switch (delivery.value()) {
                            case "end" -> Thread.ofVirtual().start(queen::close);
                            case "stuck" -> {
                                Thread.ofVirtual().start(queen::close);
                                beStuck();
                            }
                            default -> {
                            }
                        }
                    });
            System.out.println("main has returned");
        }

        private static void beStuck() {
            while (true) {
                try {
                    Thread.sleep(Duration.ofDays(1));
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        }
    }

    @AfterEach
    void kill() {
        program.destroyForcibly();
    }

    @Test
    void aRunningConsumerKeepsTheJvmAliveUntilItIsClosed() throws Exception {
        BufferedReader output = start();
        assertThat(output.readLine()).isEqualTo("main has returned");
        queue.push("one");
        assertThat(output.readLine()).isEqualTo("one");

        assertThat(program.waitFor(500, TimeUnit.MILLISECONDS)).as("ended although its consumer runs").isFalse();
        queue.push("end");
        assertThat(output.readLine()).isEqualTo("end");

        assertThat(program.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isZero();
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aHandlerThatIgnoresItsInterruptionDoesNotKeepTheJvmAlive() throws Exception {
        BufferedReader output = start();
        assertThat(output.readLine()).isEqualTo("main has returned");
        queue.push("stuck");
        assertThat(output.readLine()).isEqualTo("stuck");

        assertThat(program.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isZero();
    }

    private BufferedReader start() throws IOException {
        program = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Program.class.getName(), server.url(), name)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        return program.inputReader();
    }
}
