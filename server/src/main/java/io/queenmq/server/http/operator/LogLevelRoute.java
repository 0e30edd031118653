package io.queenmq.server.http.operator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.server.BodyRoute;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Returns and changes the levels of the loggers of this server. A change lasts until the server stops. */
public final class LogLevelRoute implements Route, BodyRoute {
    public static final String PATH = "/api/v1/system/log-level";

    private static final org.slf4j.Logger log = LoggerFactory.getLogger(LogLevelRoute.class);
    private static final String INHERIT = "inherit";
    private static final List<String> LEVELS = List.of("trace", "debug", "info", "warn", "error", INHERIT);

    @Override
    public void handle(Exchange exchange) {
        show(exchange);
    }

    @Override
    public void handle(Exchange exchange, byte[] body) {
        Map<String, Object> fields = OperatorBody.parse(body);
        String name = (String) Parameter.nameOr(org.slf4j.Logger.ROOT_LOGGER_NAME).from(fields.get("logger"), "logger");
        String level = ((String) Parameter.requiredName().from(fields.get("level"), "level")).toLowerCase(Locale.ROOT);
        if (!LEVELS.contains(level)) {
            throw new BadRequest("\"level\" is " + level + "; use one of " + String.join(", ", LEVELS));
        }
        boolean isRoot = name.equalsIgnoreCase(org.slf4j.Logger.ROOT_LOGGER_NAME);
        if (isRoot && level.equals(INHERIT)) {
            throw new BadRequest("the level of the root logger cannot be inherited; use one of "
                    + String.join(", ", LEVELS.subList(0, LEVELS.size() - 1)));
        }
        Logger logger = context().getLogger(isRoot ? org.slf4j.Logger.ROOT_LOGGER_NAME : name);
        log.warn("log level of {} changed from {} to {} by {}", logger.getName(), text(logger.getLevel()), level,
                Objects.requireNonNullElse(exchange.actor(), exchange.clientAddress()));
        logger.setLevel(level.equals(INHERIT) ? null : Level.valueOf(level.toUpperCase(Locale.ROOT)));
        show(exchange);
    }

    private static void show(Exchange exchange) {
        JsonBuffer json = exchange.json().raw("{\"loggers\":[");
        boolean isFirst = true;
        for (Logger logger : context().getLoggerList()) {
            if (logger.getLevel() != null) {
                json.raw(isFirst ? "" : ",").raw("{\"logger\":").string(logger.getName());
                json.raw(",\"level\":").string(text(logger.getLevel())).raw("}");
                isFirst = false;
            }
        }
        exchange.send(200, json.raw("]}"));
    }

    private static String text(@Nullable Level level) {
        return level == null ? INHERIT : level.toString().toLowerCase(Locale.ROOT);
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
