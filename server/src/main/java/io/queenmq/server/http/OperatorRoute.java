package io.queenmq.server.http;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.RefreshCatalogCommand;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.Reach.Scope;
import io.queenmq.server.http.Reach.Subject;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorDesk;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.PayloadView;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A route for operators: what the request says goes to a routine as its arguments, and the document the routine answers
 * goes to the client.
 *
 * @param reach of a list: the ids of the queues that the caller may see are the last argument of the routine
 * @param missing what to say when the routine finds nothing, answered with 404
 * @param status of an answer with a document
 * @param payloads the fields of the document that hold payloads
 * @param isQuiet what it changes is nothing the engine knows of
 * @param isBoundToQueue a request that names no queue concerns all queues and requires the right to remove from all of
 *        them, unless it is a dry run
 */
record OperatorRoute(HttpMethod method, String path, Access access, Reach reach, String routine,
        List<Parameter> parameters, String missing, int status, Set<String> payloads, boolean isQuiet,
        boolean isBoundToQueue) {

    private static final String TARGET_QUEUE = "targetQueue";

    /** @throws IllegalArgumentException if a request could name a queue that the reach does not cover */
    OperatorRoute {
        if (reach.subject() != null && parameters.stream().noneMatch(isCalled(reach.subject().parameter()))) {
            throw new IllegalArgumentException(path + " has no parameter for its subject " + reach.subject());
        }
        for (Subject subject : List.of(Subject.QUEUE, Subject.PARTITION)) {
            if (reach.subject() != subject && reach.scope() != Scope.LIST
                    && parameters.stream().anyMatch(isCalled(subject.parameter()))) {
                throw new IllegalArgumentException(
                        path + " has a parameter that names queues, which its reach ignores");
            }
        }
    }

    /** A route that only reads. */
    static OperatorRoute read(String path, Reach reach, String routine, String missing, Parameter... parameters) {
        return new OperatorRoute(HttpMethod.GET, path, Access.READ_ONLY, reach, routine, List.of(parameters), missing,
                200,
                Set.of(), true, false);
    }

    /** A route that changes something. */
    static OperatorRoute change(HttpMethod method, String path, Access access, Reach reach, String routine,
            String missing, Parameter... parameters) {
        return new OperatorRoute(method, path, access, reach, routine, List.of(parameters), missing, 200, Set.of(),
                false, false);
    }

    OperatorRoute withStatus(int other) {
        return new OperatorRoute(method, path, access, reach, routine, parameters, missing, other, payloads, isQuiet,
                isBoundToQueue);
    }

    OperatorRoute withAccess(Access other) {
        return new OperatorRoute(method, path, other, reach, routine, parameters, missing, status, payloads, isQuiet,
                isBoundToQueue);
    }

    /** The document holds payloads under these names. */
    OperatorRoute withPayloads(String... names) {
        return new OperatorRoute(method, path, access, reach, routine, parameters, missing, status, Set.of(names),
                isQuiet, isBoundToQueue);
    }

    /** The engine need not look what has changed. */
    OperatorRoute quietly() {
        return new OperatorRoute(method, path, access, reach, routine, parameters, missing, status, payloads, true,
                isBoundToQueue);
    }

    /** Only callers who may remove from all queues may leave out the field {@code queue} of the body. */
    OperatorRoute boundToQueue() {
        return new OperatorRoute(method, path, access, reach, routine, parameters, missing, status, payloads, isQuiet,
                true);
    }

    /** @throws BadRequest when the request is wrong */
    void handle(Exchange exchange, byte[] body, QueueAccess access, OperatorDesk desk, Engine engine) {
        QueryString query = QueryString.parse(exchange.request().query());
        Map<String, Object> fields = OperatorBody.parse(body);
        if (isBoundToQueue && fields.get("queue") == null && !isDryRun(fields) && !exchange.mayRemoveFrom(null)) {
            exchange.forbidden(method + " " + path,
                    "without \"queue\" the request concerns all queues, which requires the role admin; "
                            + "name a queue, or set \"dryRun\" to true to see the effect");
            return;
        }
        List<Object> arguments = new ArrayList<>(parameters.size());
        for (Parameter parameter : parameters) {
            int segment = parameter.source() == Parameter.Source.PATH ? segment(parameter.name()) : -1;
            arguments.add(
                    parameter.source() == Parameter.Source.JSON || parameter.source() == Parameter.Source.SEALED_JSON
                            ? parameter.reading().from(OperatorBody.json(body, parameter.name()), parameter.name())
                            : parameter.argument(exchange.path(), segment, query, fields, exchange.actor()));
        }
        if (exchange.rights() == null) {
            call(exchange, arguments, null, desk, engine);
            return;
        }
        access.check(exchange, needs(arguments), unknown -> {
            if (unknown.subjects().isEmpty()) {
                call(exchange, arguments,
                        reach.scope() == Scope.LIST ? access.scope(exchange.rights(), Right.READ) : null,
                        desk, engine);
            } else {
                exchange.error(404, missing);
            }
        });
    }

    /** @param scope the queues that a list may contain; null for all */
    private void call(Exchange exchange, List<Object> arguments, UUID[] scope, OperatorDesk desk, Engine engine) {
        if (reach.scope() == Scope.LIST) {
            arguments.add(scope);
        }
        SealedArguments.of(parameters, arguments, desk).complete(exchange,
                complete -> desk.call(new OperatorCall(routine, complete,
                        exchange.reply(outcome -> answer(exchange, outcome, desk.payloads(), engine)))
                        .from(isRecorded() ? exchange.clientAddress() : null)));
    }

    /** Returns true if the routine may write to the audit log. */
    private boolean isRecorded() {
        return parameters.stream().anyMatch(Parameter::isActor);
    }

    private static boolean isDryRun(Map<String, Object> fields) {
        return (boolean) Parameter.flag(false).from(fields.get("dryRun"), "dryRun");
    }

    /** Returns the needs of a request. A reach of the whole server or of every queue was checked before it was read. */
    private Needs needs(List<Object> arguments) {
        Needs needs = new Needs();
        if (reach.scope() == Scope.LIST) {
            String queue = (String) argument(Subject.QUEUE.parameter(), arguments);
            if (queue != null) {
                needs.queue(reach.right(), queue);
            }
        } else if (reach.scope() == Scope.QUEUES) {
            add(needs, argument(reach.subject().parameter(), arguments));
            String target = (String) argument(TARGET_QUEUE, arguments);
            if (target != null) {
                needs.queue(Right.PUSH, target);
            }
        }
        return needs;
    }

    private void add(Needs needs, Object named) {
        switch (reach.subject()) {
            case QUEUE -> needs.add(reach.right(), named == null
                    ? new Needs.Subject.Namespace("")
                    : new Needs.Subject.Queue((String) named));
            case PARTITION -> needs.partition(reach.right(), (UUID) named);
            case QUERY -> {
                Needs.Query query = new Needs.Query(null, (String) named, false);
                needs.add(reach.right(), new Needs.Subject.Source(query));
                needs.add(reach.right(), new Needs.Subject.Sink(query));
            }
            case REDRIVE -> needs.add(reach.right(), new Needs.Subject.Redrive((UUID) named));
            case REQUEST -> throw new IllegalStateException(path + " does not read its requests itself");
        }
    }

    /** Returns null for a parameter that the route does not have, or that the request does not give. */
    private Object argument(String name, List<Object> arguments) {
        for (int i = 0; i < parameters.size(); i++) {
            if (isCalled(name).test(parameters.get(i))) {
                return arguments.get(i);
            }
        }
        return null;
    }

    private static Predicate<Parameter> isCalled(String name) {
        return parameter -> parameter.name().equals(name) && parameter.source() != Parameter.Source.ACTOR;
    }

    private void answer(Exchange exchange, OperatorOutcome outcome, PayloadView view, Engine engine) {
        switch (outcome) {
            case OperatorOutcome.Document(var json) ->
                answer(exchange, status, PayloadFields.shown(view.textsShown(json), payloads, view), engine);
            case OperatorOutcome.InProgress(var json) -> answer(exchange, 202, json, engine);
            case OperatorOutcome.Missing _ -> exchange.error(404, missing);
            case OperatorOutcome.Impossible(var message) -> exchange.error(400, message);
        }
    }

    private void answer(Exchange exchange, int status, String document, Engine engine) {
        if (isQuiet) {
            exchange.sendDocument(status, document);
        } else {
            // Whoever changed something finds it changed, on this server; it is done in any case.
            engine.submit(new RefreshCatalogCommand(exchange.reply(_ -> exchange.sendDocument(status, document),
                    _ -> exchange.sendDocument(status, document))));
        }
    }

    private int segment(String name) {
        String[] segments = path.substring(1).split("/");
        for (int i = 0; i < segments.length; i++) {
            if (segments[i].equals(":" + name)) {
                return i;
            }
        }
        throw new IllegalArgumentException(path + " has no :" + name);
    }
}
