package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.RefreshCatalogCommand;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Address;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueAccess;
import io.queenmq.server.http.access.Reach;
import io.queenmq.server.http.access.Reach.Scope;
import io.queenmq.server.http.access.Reach.Subject;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.QueryString;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import io.queenmq.server.operator.PayloadView;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A route for operators. The parameters of a request are the arguments of a routine, and the document that the routine returns
 * is the response.
 *
 * @param address if its reach is a list, the ids of the queues that the caller may read are the last argument of the routine
 * @param missing error text of a 404, if the routine returns nothing
 */
public record OperatorRoute(Address address, String routine, List<Parameter> parameters, String missing,
        Response response) {

    /**
     * Details of a route that most routes do not need.
     *
     * @param status of a response with a document
     * @param payloads the fields of the document with payloads
     * @param isCatalogUnchanged true if the engine does not cache anything that the route changes
     * @param isBoundToQueue true if a request that names no queue concerns all queues. Such a request requires the right to
     *        remove from all of them, unless it is a dry run.
     */
    record Response(int status, Set<String> payloads, boolean isCatalogUnchanged, boolean isBoundToQueue) {}

    private static final String TARGET_QUEUE = "targetQueue";

    /** @throws IllegalArgumentException if a request could name a queue that the reach does not cover */
    public OperatorRoute {
        Reach reach = address.reach();
        if (reach.subject() != null && parameters.stream().noneMatch(hasName(reach.subject().parameter()))) {
            throw new IllegalArgumentException(address + " has no parameter for its subject " + reach.subject());
        }
        for (Subject subject : List.of(Subject.QUEUE, Subject.PARTITION)) {
            if (reach.subject() != subject && reach.scope() != Scope.LIST
                    && parameters.stream().anyMatch(hasName(subject.parameter()))) {
                throw new IllegalArgumentException(
                        address + " has a parameter that names queues, which its reach ignores");
            }
        }
    }

    /** Returns a route that only reads. */
    static OperatorRoute read(String path, Reach reach, String routine, String missing, Parameter... parameters) {
        return new OperatorRoute(new Address(HttpMethod.GET, path, Access.READ_ONLY, reach), routine,
                List.of(parameters), missing, new Response(200, Set.of(), true, false));
    }

    /** Returns a route that changes data. */
    static OperatorRoute change(HttpMethod method, String path, Access access, Reach reach, String routine,
            String missing, Parameter... parameters) {
        return new OperatorRoute(new Address(method, path, access, reach), routine, List.of(parameters), missing,
                new Response(200, Set.of(), false, false));
    }

    OperatorRoute withStatus(int other) {
        return with(new Response(other, response.payloads, response.isCatalogUnchanged, response.isBoundToQueue));
    }

    OperatorRoute withAccess(Access other) {
        return new OperatorRoute(new Address(address.method(), address.path(), other, address.reach()), routine,
                parameters, missing, response);
    }

    /** Declares the fields of the document with payloads. */
    OperatorRoute withPayloads(String... names) {
        return with(new Response(response.status, Set.of(names), response.isCatalogUnchanged, response.isBoundToQueue));
    }

    /** Declares that the engine caches nothing that the route changes, so that its catalog needs no refresh. */
    OperatorRoute withoutCatalogRefresh() {
        return with(new Response(response.status, response.payloads, true, response.isBoundToQueue));
    }

    /** Requires the field {@code queue} in the body, except from callers with the right to remove from all queues. */
    OperatorRoute boundToQueue() {
        return with(new Response(response.status, response.payloads, response.isCatalogUnchanged, true));
    }

    private OperatorRoute with(Response other) {
        return new OperatorRoute(address, routine, parameters, missing, other);
    }

    /** @throws BadRequest if the request is invalid */
    public void handle(Exchange exchange, byte[] body, QueueAccess access, OperatorQueries operatorQueries,
            Engine engine) {
        QueryString query = exchange.query();
        Map<String, Object> fields = OperatorBody.parse(body);
        if (response.isBoundToQueue && fields.get("queue") == null && !isDryRun(fields) && !exchange.mayRemove()) {
            exchange.forbid("without \"queue\" the request concerns all queues, which requires the role admin; "
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
            call(exchange, arguments, null, operatorQueries, engine);
            return;
        }
        access.check(exchange, needs(arguments), unknown -> {
            if (unknown.subjects().isEmpty()) {
                call(exchange, arguments,
                        address.reach().scope() == Scope.LIST ? access.scope(exchange.rights(), Right.READ) : null,
                        operatorQueries, engine);
            } else {
                exchange.error(404, missing);
            }
        });
    }

    /** @param scope the queues that a list may contain; null for all */
    private void call(Exchange exchange, List<Object> arguments, UUID @Nullable [] scope,
            OperatorQueries operatorQueries, Engine engine) {
        if (address.reach().scope() == Scope.LIST) {
            arguments.add(scope);
        }
        SealedArguments.of(parameters, arguments, operatorQueries).complete(exchange,
                complete -> operatorQueries.call(new OperatorCall(routine, complete,
                        exchange.reply(outcome -> answer(exchange, outcome, operatorQueries.payloads(), engine)))
                        .from(isRecorded() ? exchange.clientAddress() : null)));
    }

    /** Returns true if the routine may write to the audit log. */
    private boolean isRecorded() {
        return parameters.stream().anyMatch(Parameter::isActor);
    }

    private static boolean isDryRun(Map<String, Object> fields) {
        return (boolean) Parameter.flag(false).from(fields.get("dryRun"), "dryRun");
    }

    /** Returns the needs of a request. A reach of the whole server or of every queue was checked before parsing. */
    private Needs needs(List<Object> arguments) {
        Needs needs = new Needs();
        if (address.reach().scope() == Scope.LIST) {
            String queue = (String) argument(Subject.QUEUE.parameter(), arguments);
            if (queue != null) {
                needs.queue(address.reach().right(), queue);
            }
        } else if (address.reach().scope() == Scope.QUEUES) {
            Subject subject = Objects.requireNonNull(address.reach().subject());
            add(needs, subject, argument(subject.parameter(), arguments));
            String target = (String) argument(TARGET_QUEUE, arguments);
            if (target != null) {
                needs.queue(Right.PUSH, target);
            }
        }
        return needs;
    }

    private void add(Needs needs, Subject subject, @Nullable Object named) {
        switch (subject) {
            case QUEUE -> needs.add(address.reach().right(),
                    named == null ? new Needs.Subject.Namespace("") : new Needs.Subject.Queue((String) named));
            case PARTITION -> needs.partition(address.reach().right(), (UUID) Objects.requireNonNull(named));
            case QUERY -> {
                Needs.Query query = new Needs.Query(null, (String) named, false);
                needs.add(address.reach().right(), new Needs.Subject.Source(query));
                needs.add(address.reach().right(), new Needs.Subject.Sink(query));
            }
            case REDRIVE ->
                needs.add(address.reach().right(), new Needs.Subject.Redrive((UUID) Objects.requireNonNull(named)));
            case REQUEST -> throw new IllegalStateException(address + " does not read its requests itself");
        }
    }

    /** Returns null for a parameter that the route does not have, or that the request does not contain. */
    private @Nullable Object argument(String name, List<Object> arguments) {
        for (int i = 0; i < parameters.size(); i++) {
            if (hasName(name).test(parameters.get(i))) {
                return arguments.get(i);
            }
        }
        return null;
    }

    private static Predicate<Parameter> hasName(String name) {
        return parameter -> parameter.name().equals(name) && parameter.source() != Parameter.Source.ACTOR;
    }

    private void answer(Exchange exchange, OperatorOutcome outcome, PayloadView view, Engine engine) {
        switch (outcome) {
            case OperatorOutcome.Document(var json) -> answer(exchange, response.status,
                    PayloadFields.shown(view.textsShown(json), response.payloads, view), engine);
            case OperatorOutcome.InProgress(var json) -> answer(exchange, 202, json, engine);
            case OperatorOutcome.Missing _ -> exchange.error(404, missing);
            case OperatorOutcome.Impossible(var message) -> exchange.error(400, message);
        }
    }

    private void answer(Exchange exchange, int status, String document, Engine engine) {
        if (response.isCatalogUnchanged) {
            exchange.sendDocument(status, document);
        } else {
            // The response is sent after this server has loaded the change. The change itself is already stored.
            engine.submit(new RefreshCatalogCommand(exchange.<@Nullable Void>reply(
                    _ -> exchange.sendDocument(status, document), _ -> exchange.sendDocument(status, document))));
        }
    }

    private int segment(String name) {
        String[] segments = address.path().substring(1).split("/");
        for (int i = 0; i < segments.length; i++) {
            if (segments[i].equals(":" + name)) {
                return i;
            }
        }
        throw new IllegalArgumentException(address + " has no :" + name);
    }
}
