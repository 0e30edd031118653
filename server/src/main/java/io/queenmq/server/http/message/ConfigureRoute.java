package io.queenmq.server.http.message;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.ConfigureOutcome;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.server.Exchange;
import org.jspecify.annotations.Nullable;

/** Creates a queue or changes its options. */
public final class ConfigureRoute implements QueueRoute<ConfigureRoute.ConfigureRequest> {
    public static final String PATH = "/api/v1/configure";

    private final Engine engine;

    public ConfigureRoute(Engine engine) {
        this.engine = engine;
    }

    @Override
    public ConfigureRequest parse(Exchange exchange, byte[] body) {
        return parse(body);
    }

    /** The caller needs the right on the queue in its current and in its new namespace. */
    @Override
    public void addNeeds(ConfigureRequest request, Needs needs) {
        String namespace = engine.queues().namespaceOrNull(request.queue);
        if (namespace != null) {
            needs.queue(Right.MANAGE, request.queue);
        }
        if (namespace == null || request.namespace != null) {
            needs.add(Right.MANAGE,
                    new Needs.Subject.QueueIn(request.namespace == null ? "" : request.namespace, request.queue));
        }
    }

    @Override
    public void handle(Exchange exchange, ConfigureRequest request) {
        engine.submit(new ConfigureCommand(exchange.actor(), exchange.mayRemove(), request.queue, request.namespace,
                request.task, request.options, exchange.reply(outcome -> answer(exchange, outcome))));
    }

    static ConfigureRequest parse(byte[] body) {
        return JsonInput.object(body, parser -> {
            String queue = null;
            String namespace = null;
            String task = null;
            QueueOptionsParser options = new QueueOptionsParser();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                switch (name) {
                    case "queue" -> queue = Names.requireQueue(JsonInput.string(parser, name), name);
                    case "namespace" -> namespace = textOrNull(JsonInput.stringOrNull(parser, name), name);
                    case "task" -> task = textOrNull(JsonInput.stringOrNull(parser, name), name);
                    case "options" -> options.read(parser);
                    default -> JsonInput.skip(parser);
                }
            }
            if (queue == null) {
                throw new BadRequest("queue is missing");
            }
            return new ConfigureRequest(queue, namespace, task, options.options());
        });
    }

    private static @Nullable String textOrNull(@Nullable String text, String field) {
        return text == null ? null : Names.requireText(text, field);
    }

    private static void answer(Exchange exchange, ConfigureOutcome outcome) {
        switch (outcome) {
            case ConfigureOutcome.Configured(var queue) -> answer(exchange, queue);
            case ConfigureOutcome.NoKey _ -> exchange.error(400,
                    "encryptionEnabled needs a key, and no server has one: start the servers with QUEEN_ENCRYPTION_KEY");
            case ConfigureOutcome.Forbidden(var reason) -> exchange.forbid(reason);
        }
    }

    private static void answer(Exchange exchange, Queue queue) {
        JsonBuffer json = exchange.json().raw("{\"configured\":true,\"queueId\":").uuid(queue.id());
        json.raw(",\"partitionId\":").uuid(queue.partitionId(PushItemDraft.DEFAULT_PARTITION));
        json.raw(",\"queue\":").string(queue.name()).raw(",\"namespace\":").string(queue.namespace());
        json.raw(",\"task\":").string(queue.task()).raw(",\"options\":");
        write(json, queue.options());
        exchange.send(200, json.raw("}"));
    }

    private static void write(JsonBuffer json, QueueOptions options) {
        char separator = '{';
        for (QueueOption option : QueueOption.values()) {
            json.raw(separator + "\"" + option.key() + "\":");
            switch (options.values().get(option)) {
                case Boolean value -> json.bool(value);
                case Double value -> json.number(value);
                case Number value -> json.number(value.longValue());
                case null, default -> json.raw("null");
            }
            separator = ',';
        }
        json.raw("}");
    }

    /** The contents of a request; null for absent fields. */
    record ConfigureRequest(String queue, @Nullable String namespace, @Nullable String task, QueueOptions options) {}
}
