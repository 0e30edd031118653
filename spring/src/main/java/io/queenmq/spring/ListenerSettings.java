package io.queenmq.spring;

import io.queenmq.client.ConsumerBuilder;
import io.queenmq.client.ErrorHandler;
import io.queenmq.client.StartPosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;

/** What a {@link QueenListener} says, with its placeholders resolved. */
final class ListenerSettings {
    private final QueenListener listener;
    private final String what;
    private final ConfigurableListableBeanFactory beans;

    /** @param what whose settings these are, for errors */
    ListenerSettings(QueenListener listener, String what, ConfigurableListableBeanFactory beans) {
        this.listener = listener;
        this.what = what;
        this.beans = beans;
    }

    String queue() {
        return resolved(listener.queue());
    }

    /** Empty for none. */
    String group() {
        return resolved(listener.group());
    }

    /** Empty for none of its own. */
    String id() {
        return resolved(listener.id());
    }

    boolean isAutoStartup() {
        return Boolean.TRUE.equals(read("autoStartup", listener.autoStartup(), text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("true or false is wanted");
        }));
    }

    void apply(ConsumerBuilder<?> consumer) {
        use("concurrency", listener.concurrency(), text -> consumer.concurrency(Integer.parseInt(text)));
        use("batch", listener.batch(), text -> consumer.batch(Integer.parseInt(text)));
        use("maxPartitions", listener.maxPartitions(), text -> consumer.maxPartitions(Integer.parseInt(text)));
        use("from", listener.from(), text -> consumer.from(position(text)));
        use("lease", listener.lease(), text -> consumer.lease(DurationStyle.detectAndParse(text)));
        ErrorHandler errorHandler = errorHandler();
        if (errorHandler != null) {
            consumer.errorHandler(errorHandler);
        }
    }

    /** Null for the standard. */
    private @Nullable ErrorHandler errorHandler() {
        String name = resolved(listener.errorHandler());
        return name.isEmpty()
                ? beans.getBeanProvider(ErrorHandler.class).getIfUnique()
                : beans.getBean(name, ErrorHandler.class);
    }

    private static StartPosition position(String text) {
        return switch (text) {
            case "beginning" -> StartPosition.beginning();
            case "now" -> StartPosition.now();
            default -> StartPosition.at(Instant.parse(text));
        };
    }

    private void use(String attribute, String text, Function<String, ConsumerBuilder<?>> setting) {
        read(attribute, text, setting);
    }

    /** Null when nothing is said. */
    private <R> @Nullable R read(String attribute, String text, Function<String, R> reader) {
        String resolved = resolved(text);
        try {
            return resolved.isEmpty() ? null : reader.apply(resolved);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalStateException(
                    "@QueenListener " + what + ": " + attribute + " is '" + resolved + "': " + e.getMessage(), e);
        }
    }

    private String resolved(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved.strip();
    }
}
