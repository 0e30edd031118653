package io.queenmq.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.queenmq.embedded.EmbeddedPostgresException;
import io.queenmq.schema.SchemaException;
import io.queenmq.server.config.ConfigException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.LogLevel;
import io.queenmq.server.config.ServerConfig;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/** Runs a server as a process of its own. */
public final class Main {
    private static final int FAILED = 1;

    private Main() {}

    /** Reads the settings from environment variables. Arguments are ignored. */
    public static void main(String[] args) {
        serve();
    }

    /** Starts the server and returns. The process runs until it receives a signal. Must be called once. */
    public static void serve() {
        try {
            ServerConfig config = ConfigReader.read(System.getenv());
            setLogLevel(config.operations().logging().level());
            Server server = Server.start(config);
            AtomicInteger exitCode = new AtomicInteger();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, exitCode), "queen-shutdown"));
            server.onStoreLost(reason -> {
                System.err.println("queen: " + reason);
                exitCode.set(FAILED);
                System.exit(FAILED);
            });
            System.out.println("Queen is ready on " + server.url() + ", " + server.store());
        } catch (ConfigException | StartException | SchemaException | EmbeddedPostgresException e) {
            // The message is complete. A stack trace would only hide it.
            System.err.println("queen: " + e.getMessage());
            System.exit(FAILED);
        } catch (Throwable e) {
            LoggerFactory.getLogger(Main.class).error("server start failed", e);
            System.exit(FAILED);
        }
    }

    /** Ends the process with exit code 0 after a requested stop. Without the halt, the JVM would report the signal. */
    private static void stop(Server server, AtomicInteger exitCode) {
        server.close();
        System.out.println("Queen has stopped");
        System.out.flush();
        Runtime.getRuntime().halt(exitCode.get());
    }

    private static void setLogLevel(LogLevel level) {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.valueOf(level.name()));
    }
}
