package io.queenmq.spring;

import io.queenmq.client.ConsumerBuilder;
import io.queenmq.client.ErrorHandler;
import io.queenmq.client.StartPosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;

/** The settings of a {@link QueenListener} with resolved placeholders. */
final class ListenerSettings {
    private final QueenListener listener;
    private final String what;
    private final ConfigurableListableBeanFactory beans;

    /** @param what the listener, for errors */
    ListenerSettings(QueenListener listener, String what, ConfigurableListableBeanFactory beans) {
        this.listener = listener;
        this.what = what;
        this.beans = beans;
    }

    String queue() {
        return resolved(listener.queue());
    }

    /** Returns the group; empty for none. */
    String group() {
        return resolved(listener.group());
    }

    /** Returns the id; empty for the default. */
    String id() {
        return resolved(listener.id());
    }

    boolean isAutoStartup() {
        return Boolean.TRUE.equals(read("autoStartup", listener.autoStartup(), text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("use true or false");
        }));
    }

    int concurrency() {
        Integer concurrency = read("concurrency", listener.concurrency(), Integer::parseInt);
        return concurrency == null ? 1 : concurrency;
    }

    /** Empty for none. */
    String deadLetter() {
        return resolved(listener.deadLetter());
    }

    void apply(ConsumerBuilder<?> consumer) {
        use("concurrency", listener.concurrency(), text -> consumer.concurrency(Integer.parseInt(text)));
        use("batch", listener.batch(), text -> consumer.batch(Integer.parseInt(text)));
        use("maxPartitions", listener.maxPartitions(), text -> consumer.maxPartitions(Integer.parseInt(text)));
        use("from", listener.from(), text -> consumer.from(position(text)));
        use("lease", listener.lease(), text -> consumer.lease(DurationStyle.detectAndParse(text)));
        ErrorHandler undecodable = undecodable();
        consumer.undecodable(undecodable);
        consumer.errorHandler(ErrorHandler.chain(errorHandlers(undecodable)));
    }

    /** Returns the error handlers in their order. The rules of the annotation precede those of beans. */
    private List<ErrorHandler> errorHandlers(ErrorHandler undecodable) {
        List<ErrorHandler> handlers = new ArrayList<>();
        handlers.add((delivery,
                failure) -> failure instanceof InvalidMessageException ? undecodable.decide(delivery, failure) : null);
        handlers.add(ErrorHandler.notRetryable(listener.notRetryable()));
        use("maxAttempts", listener.maxAttempts(),
                text -> handlers.add(ErrorHandler.maxAttempts(Integer.parseInt(text))));
        String name = resolved(listener.errorHandler());
        if (name.isEmpty()) {
            beans.getBeanProvider(ErrorHandler.class).orderedStream().forEach(handlers::add);
        } else {
            handlers.add(bean("errorHandler", name));
        }
        return handlers;
    }

    private ErrorHandler undecodable() {
        String name = resolved(listener.undecodable());
        return name.isEmpty() ? ErrorHandler.deadLettering() : bean("undecodable", name);
    }

    private ErrorHandler bean(String attribute, String name) {
        try {
            return beans.getBean(name, ErrorHandler.class);
        } catch (BeansException e) {
            throw new QueenStartupException("@QueenListener " + what + ": " + attribute + " is '" + name
                    + "', which is not a bean of the type ErrorHandler", "Name a bean of that type.", e);
        }
    }

    private static StartPosition position(String text) {
        return switch (text) {
            case "beginning" -> StartPosition.beginning();
            case "now" -> StartPosition.now();
            default -> StartPosition.at(Instant.parse(text));
        };
    }

    private void use(String attribute, String text, Function<String, ?> setting) {
        read(attribute, text, setting);
    }

    /** Returns the value of an attribute; null if it is empty. */
    private <R> @Nullable R read(String attribute, String text, Function<String, R> reader) {
        String resolved = resolved(text);
        try {
            return resolved.isEmpty() ? null : reader.apply(resolved);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new QueenStartupException(
                    "@QueenListener " + what + ": " + attribute + " is '" + resolved + "': " + e.getMessage(),
                    "Correct the attribute, or the property that it refers to.", e);
        }
    }

    private String resolved(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved.strip();
    }
}
