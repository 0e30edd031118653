package io.queenmq.verify.cluster;

import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One server as a child process that can be killed, paused and started again. Clients reach it through a proxy, whose port
 * remains the same. Its output is in a file.
 */
public final class ServerProcess implements AutoCloseable {
    private static final String READY = "Queen is ready on ";
    public static final Duration READY_WITHIN = Duration.ofMinutes(5);
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(60);

    private final String name;
    private final List<String> command;
    private final Map<String, String> settings;
    private final Path log;
    private final TcpProxy proxy;
    private Release release = Release.NONE;
    private Map<String, String> environment = Map.of();
    private Duration readyWithin = READY_WITHIN;
    private Process process;

    /** The program to start, and a proxy for its clients. */
    ServerProcess(String name, List<String> command, Map<String, String> settings, Path log) {
        this.name = name;
        this.command = command;
        this.settings = settings;
        this.log = log;
        this.proxy = new TcpProxy(new InetSocketAddress("127.0.0.1", 9));
        this.process = launch();
    }

    public String name() {
        return name;
    }

    /** Returns the address for clients. */
    URI url() {
        return URI.create("http://127.0.0.1:" + proxy.port());
    }

    /** Returns the proxy between clients and this server. */
    public TcpProxy proxy() {
        return proxy;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    private Process launch() {
        List<String> all = new ArrayList<>(release.applyTo(command));
        ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
        builder.environment().keySet().removeIf(each -> each.startsWith("PG_") || each.startsWith("QUEEN_"));
        builder.environment().putAll(settings);
        builder.environment().putAll(environment);
        Process started = null;
        try {
            started = builder.start();
            Process reading = started;
            CompletableFuture<Integer> port = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("verify-output-" + name).start(() -> read(reading, port));
            proxy.setTarget(new InetSocketAddress("127.0.0.1", port.get(readyWithin.toSeconds(), TimeUnit.SECONDS)));
            return started;
        } catch (IOException | ExecutionException | TimeoutException e) {
            if (started != null) {
                started.destroyForcibly();
            }
            throw new SetupException("server " + name + " did not start; its output is in " + log, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SetupException("interrupted while server " + name + " was starting", e);
        }
    }

    private void read(Process started, CompletableFuture<Integer> port) {
        try (var lines = started.inputReader();
                BufferedWriter file = Files.newBufferedWriter(log, StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                file.write(line);
                file.newLine();
                file.flush();
                int ready = line.indexOf(READY);
                if (ready >= 0) {
                    String url = line.substring(ready + READY.length()).split(",")[0];
                    port.complete(Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)));
                }
            }
        } catch (IOException _) {
            // The process was killed.
        }
        port.completeExceptionally(new IOException("the process has ended"));
    }

    /** Kills the process without a chance to clean up. */
    public void kill() {
        process.toHandle().destroyForcibly();
        awaitEnd();
        proxy.closeConnections();
    }

    void killAtOnce() {
        process.toHandle().destroyForcibly();
    }

    /** Stops the process as an operator does. */
    public void terminate() {
        process.toHandle().destroy();
        awaitEnd();
    }

    /** Starts the process again after its end. */
    public void restart() {
        if (!process.isAlive()) {
            process = launch();
        }
    }

    /** Starts the process again after its end, with another build of the server. */
    public void restart(Release other) {
        release = other;
        restart();
    }

    /** Starts the process again after its end, with additional variables of its environment. */
    public void restart(Map<String, String> variables, Duration within) {
        environment = variables;
        readyWithin = within;
        restart();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(ENDED_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Signals.send(process.pid(), "CONT");
        proxy.setMode(TcpProxy.Mode.FORWARD);
        process.toHandle().destroy();
        awaitEnd();
        proxy.close();
    }
}
