package io.queenmq.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import io.queenmq.server.config.ServerConfig;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/** Applies the settings of the log to the loggers of this process. */
final class Logs {
    private Logs() {}

    static void configure(ServerConfig.Logging config) {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.valueOf(config.level().name()));
        // Start and stop are logged at any level.
        ((Logger) LoggerFactory.getLogger(Main.class)).setLevel(Level.INFO);
        if (config.isJson()) {
            for (Iterator<Appender<ILoggingEvent>> all = root.iteratorForAppenders(); all.hasNext();) {
                if (all.next() instanceof OutputStreamAppender<ILoggingEvent> appender) {
                    appender.stop();
                    JsonLogEncoder encoder = new JsonLogEncoder();
                    encoder.setContext(root.getLoggerContext());
                    encoder.start();
                    appender.setEncoder(encoder);
                    appender.start();
                }
            }
        }
    }
}
