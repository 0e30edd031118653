package io.queenmq.verify.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PgBouncer in session mode between the proxy and PostgreSQL. */
public final class PgBouncer implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(10);

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static PgBouncer start(Database database, Path home) throws IOException, InterruptedException {
        int port = Standby.freePort();
        Path folder = Files.createDirectories(home.resolve("pgbouncer"));
        Path settings = folder.resolve("pgbouncer.ini");
        Files.writeString(settings, """
                [databases]
                * = %s pool_size=100
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = session
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits, options, search_path, statement_timeout
                """.formatted(database.replicationSettings(), port));
        List<String> command = new ArrayList<>(Standby.asOwnerOf(database.data()));
        if (!command.isEmpty()) {
            Programs.run("chown", "-R", "--reference=" + database.data(), folder.toString());
        }
        command.add(Programs.find("pgbouncer").orElseThrow().toString());
        command.add(settings.toString());
        PgBouncer bouncer = new PgBouncer(new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("pgbouncer.log").toFile())).start(),
                port);
        long untilNs = System.nanoTime() + READY_WITHIN.toNanos();
        while (!database.accepts(port)) {
            if (!bouncer.process.isAlive() || System.nanoTime() > untilNs) {
                bouncer.close();
                throw new IOException("PgBouncer does not start; its output is in " + home.resolve("pgbouncer.log"));
            }
            Thread.sleep(50);
        }
        return bouncer;
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
