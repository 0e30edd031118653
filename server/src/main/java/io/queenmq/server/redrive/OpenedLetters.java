package io.queenmq.server.redrive;

import io.queenmq.server.operator.PayloadView;
import io.queenmq.server.push.MessageIds;
import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.PushOutcome;
import java.util.ArrayList;
import java.util.List;

/** Claimed dead letters, opened as far as this server can: what is to be pushed, and why the others cannot be. */
final class OpenedLetters {
    private final List<PushItem> messages = new ArrayList<>();
    private final String[] errors;

    OpenedLetters(List<DeadLetter> claimed, MessageIds ids, PayloadView payloads) {
        errors = new String[claimed.size()];
        for (int i = 0; i < errors.length; i++) {
            try {
                messages.add(claimed.get(i).message(ids.next(), payloads));
            } catch (RuntimeException e) {
                errors[i] = "the stored message cannot be opened: " + (e.getMessage() == null ? e : e.getMessage());
            }
        }
    }

    List<PushItem> messages() {
        return messages;
    }

    /** Why the first one that cannot be opened cannot; null when all can. */
    String firstError() {
        for (String error : errors) {
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    /**
     * Why each of the claimed letters was not stored, null for one that was.
     *
     * @param outcomes of the messages
     */
    String[] errorsAfter(List<PushOutcome> outcomes) {
        String[] after = errors.clone();
        int next = 0;
        for (int i = 0; i < after.length; i++) {
            if (after[i] == null) {
                after[i] = error(outcomes.get(next++));
            }
        }
        return after;
    }

    /** Null for a message that is stored; a duplicate is one of another dead letter that went in with it. */
    private static String error(PushOutcome outcome) {
        return switch (outcome) {
            case PushOutcome.Queued _, PushOutcome.Duplicate _ -> null;
            case PushOutcome.Buffered _ -> throw new IllegalStateException("dead letters are not buffered");
            case PushOutcome.Failed(var error) -> error;
        };
    }
}
