package io.queenmq.server.http.operator;

import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorDesk;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.PayloadView;
import java.util.List;
import java.util.function.Consumer;

/**
 * Completes the arguments of a routine that are stored, or sought, encrypted. PostgreSQL says first whether the queue of
 * a partition is encrypted, so that no clear text is sent to it that must not be stored.
 */
record SealedArguments(List<Parameter> parameters, List<Object> arguments, OperatorDesk desk) {
    static SealedArguments of(List<Parameter> parameters, List<Object> arguments, OperatorDesk desk) {
        return new SealedArguments(parameters, arguments, desk);
    }

    /** Calls the next step with the arguments, at once or when PostgreSQL has answered. */
    void complete(Exchange exchange, Consumer<List<Object>> next) {
        PayloadView view = desk.payloads();
        int error = indexOf(Parameter.Source.SEALED_ERROR);
        if (error >= 0) {
            arguments.set(error, sealedForms(view));
        }
        int json = indexOf(Parameter.Source.SEALED_JSON);
        if (json < 0 || !view.canSeal()) {
            next.accept(arguments);
            return;
        }
        desk.call(new OperatorCall("is_partition_encrypted", arguments.subList(0, 1), exchange.reply(outcome -> {
            if (outcome instanceof OperatorOutcome.Document(var answer) && answer.equals("true")) {
                arguments.set(json, view.sealed((String) arguments.get(json)));
            }
            next.accept(arguments);
        })));
    }

    private String[] sealedForms(PayloadView view) {
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
