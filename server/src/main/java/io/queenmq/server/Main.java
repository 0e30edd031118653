package io.queenmq.server;

import io.queenmq.embedded.EmbeddedPostgresException;
import io.queenmq.schema.SchemaException;
import io.queenmq.server.config.ConfigException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.ServerConfig;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a server as a process of its own. */
public final class Main {
    private static final Logger log = LoggerFactory.getLogger(Main.class);
    private static final int FAILED = 1;

    private Main() {}

    /** Reads the settings from environment variables. Arguments are ignored. */
    public static void main(String[] args) {
        serve(System.getenv());
    }

    /**
     * Starts the server and returns. The process runs until it receives a signal. Must be called once.
     *
     * @param environment the environment variables with the settings
     */
    public static void serve(Map<String, String> environment) {
        try {
            ServerConfig config = ConfigReader.read(environment);
            Logs.configure(config.operations().logging());
            Server server = Server.start(config);
            AtomicInteger exitCode = new AtomicInteger();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, exitCode), "queen-shutdown"));
            server.onStoreLost(reason -> {
                log.error("server stopping: {}", reason);
                exitCode.set(FAILED);
                System.exit(FAILED);
            });
            log.info("Queen is ready on {}, {}", server.url(), server.store());
        } catch (ConfigException | StartException | SchemaException | EmbeddedPostgresException e) {
            // The message is complete. A stack trace would only hide it.
            log.error("server start failed: {}", e.getMessage());
            System.exit(FAILED);
        } catch (Throwable e) {
            log.error("server start failed", e);
            System.exit(FAILED);
        }
    }

    /** Ends the process with exit code 0 after a requested stop. Without the halt, the JVM would report the signal. */
    private static void stop(Server server, AtomicInteger exitCode) {
        server.close();
        log.info("Queen has stopped");
        System.out.flush();
        Runtime.getRuntime().halt(exitCode.get());
    }
}
