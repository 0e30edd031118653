package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A terminal with a shell, on a separate tmux server. */
final class Terminal implements AutoCloseable {
    private static final int WIDTH = 160;
    private static final int HEIGHT = 50;

    private final String socket = "queen-test-" + UUID.randomUUID();

    /** @param environment variables of the shell in addition to those of this process */
    Terminal(Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("-f", "/dev/null", "new-session", "-d", "-x",
                Integer.toString(WIDTH), "-y", Integer.toString(HEIGHT)));
        environment.forEach((name, value) -> command.addAll(List.of("-e", name + "=" + value)));
        command.add("sh");
        tmux(command.toArray(String[]::new));
        // A unique prompt.
        type("PS1='ready> '");
        awaitScreen("ready> ");
    }

    /** Types a line and the return key. */
    void type(String line) {
        tmux("send-keys", "-l", line);
        tmux("send-keys", "Enter");
    }

    void pressCtrlC() {
        tmux("send-keys", "C-c");
    }

    void clear() {
        tmux("send-keys", "-R");
        tmux("clear-history");
    }

    /** Returns the visible text. */
    String screen() {
        return tmux("capture-pane", "-p");
    }

    /** Returns the visible text with the codes of its colors. */
    String coloredScreen() {
        return tmux("capture-pane", "-p", "-e");
    }

    void awaitScreen(String text) {
        String[] seen = {""};
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!(seen[0] = screen()).contains(text)) {
            assertThat(System.nanoTime()).as("\"%s\" is on the screen:\n%s", text, seen[0]).isLessThan(deadlineNs);
            QueenProcess.pause(Duration.ofMillis(50));
        }
    }

    @Override
    public void close() {
        tmux("kill-server");
    }

    private String tmux(String... arguments) {
        List<String> command = new ArrayList<>(List.of("tmux", "-L", socket));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
