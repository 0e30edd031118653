package io.queenmq.server.http.operator;

import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import io.queenmq.server.operator.PayloadView;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the arguments of a routine that are stored, or searched for, in encrypted form. First looks up whether the queue
 * of the partition is encrypted, because unencrypted text of an encrypted queue must not be sent to PostgreSQL.
 */
record SealedArguments(List<Parameter> parameters, List<Object> arguments, OperatorQueries operatorQueries) {
    static SealedArguments of(List<Parameter> parameters, List<Object> arguments, OperatorQueries operatorQueries) {
        return new SealedArguments(parameters, arguments, operatorQueries);
    }

    /** Calls the next step with the arguments, at once or after the response of PostgreSQL. */
    void complete(Exchange exchange, Consumer<List<Object>> next) {
        PayloadView view = operatorQueries.payloads();
        int error = indexOf(Parameter.Source.SEALED_ERROR);
        if (error >= 0) {
            arguments.set(error, sealedForms(view));
        }
        int json = indexOf(Parameter.Source.SEALED_JSON);
        if (json < 0 || !view.canSeal()) {
            next.accept(arguments);
            return;
        }
        operatorQueries
                .call(new OperatorCall("is_partition_encrypted", arguments.subList(0, 1), exchange.reply(outcome -> {
                    if (outcome instanceof OperatorOutcome.Document(var answer) && answer.equals("true")) {
                        arguments.set(json, view.sealed((String) arguments.get(json)));
                    }
                    next.accept(arguments);
                })));
    }

    private String @Nullable [] sealedForms(PayloadView view) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equals("error") && arguments.get(i) instanceof String text) {
                return view.sealedForms(text);
            }
        }
        return null;
    }

    private int indexOf(Parameter.Source source) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).source() == source) {
                return i;
            }
        }
        return -1;
    }
}
