package io.queenmq.server.redrive;

import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.operator.PayloadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of one step of a redrive, with the line to store for each, or the reason why it stays a dead letter.
 * Used by one step at a time.
 */
final class OpenedDeadLetters {
    private final List<DeadLetter> claimed;
    private final byte[][] lines;
    private final @Nullable String[] errors;

    OpenedDeadLetters(List<DeadLetter> claimed, MessageIds ids, PayloadView payloads, PayloadCipher cipher) {
        this.claimed = claimed;
        lines = new byte[claimed.size()][];
        errors = new String[claimed.size()];
        for (int i = 0; i < errors.length; i++) {
            DeadLetter letter = claimed.get(i);
            try {
                lines[i] = letter.lineToStore(ids.next(), payloads, cipher);
                if (letter.target().queueId() == null) {
                    errors[i] = "there is no queue \"" + letter.target().queue() + "\"";
                }
            } catch (RuntimeException e) {
                errors[i] = "the stored message cannot be opened: " + (e.getMessage() == null ? e : e.getMessage());
            }
        }
    }

    List<DeadLetter> claimed() {
        return claimed;
    }

    DeadLetter letter(int index) {
        return claimed.get(index);
    }

    byte[] line(int index) {
        return lines[index];
    }

    /** Returns the positions of the letters that can be moved, ascending. */
    List<Integer> movable() {
        List<Integer> movable = new ArrayList<>(errors.length);
        for (int i = 0; i < errors.length; i++) {
            if (errors[i] == null) {
                movable.add(i);
            }
        }
        return movable;
    }

    /** Counts the letters that can be moved by target, in the order of their first letters. */
    Map<DeadLetter.Target, Integer> movableByTarget() {
        Map<DeadLetter.Target, Integer> counts = new LinkedHashMap<>();
        movable().forEach(i -> counts.merge(letter(i).target(), 1, Integer::sum));
        return counts;
    }

    /** Records why a letter stays a dead letter. */
    void refuse(int index, String error) {
        errors[index] = error;
    }

    /** Returns for each claimed letter the reason why it stays a dead letter; null for one that was moved. */
    @Nullable
    String[] errors() {
        return errors;
    }

    /** Returns the reason why the first unopened letter cannot be opened; null when this server can open all of them. */
    @Nullable
    String firstUnopened() {
        for (int i = 0; i < errors.length; i++) {
            if (lines[i] == null) {
                return errors[i];
            }
        }
        return null;
    }
}
