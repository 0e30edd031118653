package io.queenmq.engine.cipher;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The re-encryption of the lines of a stored segment or of a dead letter: with the current key, and bound to their
 * offsets. A line that needs no change, or that cannot be decrypted, keeps every byte. Each new line is decrypted and
 * compared before it is accepted.
 *
 * @param body the new lines; null if no line changed
 * @param runs the keys of the lines after the change, by offset
 * @param failures the number of outdated lines that could not be decrypted
 */
public record Reencryption(byte @Nullable [] body, List<Run> runs, int failures) {
    /** The key id of lines in clear text. */
    public static final String CLEAR = "";

    /**
     * Consecutive messages that are encrypted in the same way.
     *
     * @param keyId {@link #CLEAR} for clear text
     */
    public record Run(long first, long end, String keyId, boolean isBound, long bytes) {}

    /**
     * Determines which lines are changed.
     *
     * @param isRewriting true if lines are re-encrypted; false if they are only inspected
     * @param isBinding true if every server decrypts lines that are bound to their offset
     */
    public record Policy(boolean isRewriting, boolean isBinding) {}

    /** @param body lines, each with its line break; the first one has the offset base */
    public static Reencryption of(PayloadCipher cipher, Policy policy, UUID partitionId, long base, byte[] body) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(body.length + 64);
        List<Run> runs = new ArrayList<>();
        boolean isChanged = false;
        int failures = 0;
        long offset = base;
        for (int start = 0; start < body.length; offset++) {
            int end = start;
            while (body[end] != '\n') {
                end++;
            }
            byte[] line = Arrays.copyOfRange(body, start, end + 1);
            if (isOutdated(cipher, policy, line)) {
                byte[] renewed = renewed(cipher, policy, new MessagePosition(partitionId, offset), line);
                isChanged |= renewed != null;
                failures += renewed == null ? 1 : 0;
                line = renewed == null ? line : renewed;
            }
            lines.writeBytes(line);
            add(runs, runOf(line, offset));
            start = end + 1;
        }
        return new Reencryption(isChanged ? lines.toByteArray() : null, runs, failures);
    }

    private static boolean isOutdated(PayloadCipher cipher, Policy policy, byte[] line) {
        int end = line.length - 1;
        if (!policy.isRewriting || !cipher.hasKey() || !PayloadCipher.isEncrypted(line, 0, end)) {
            return false;
        }
        String keyId = PayloadCipher.keyId(line, 0, end);
        boolean isOfOtherKey = !keyId.equals(cipher.currentKeyId());
        // A line whose key this server does not have is skipped and does not count as a failure.
        return isOfOtherKey
                ? cipher.keyIds().contains(keyId)
                : policy.isBinding && !PayloadCipher.isBoundToOffset(line, 0, end);
    }

    /** Returns the new line, or null if the line cannot be decrypted or encrypted. */
    private static byte @Nullable [] renewed(PayloadCipher cipher, Policy policy, MessagePosition position,
            byte[] line) {
        int end = line.length - 1;
        try {
            byte[] clear = cipher.decrypt(line, 0, end, position);
            byte[] ended = Arrays.copyOf(clear, clear.length + 1);
            ended[clear.length] = '\n';
            boolean isBound = policy.isBinding || PayloadCipher.isBoundToOffset(line, 0, end);
            byte[] renewed = cipher.encrypt(ended, isBound ? position : null);
            boolean isTheSame = PayloadCipher.isEncrypted(renewed, 0, renewed.length - 1)
                    && Arrays.equals(cipher.decrypt(renewed, 0, renewed.length - 1, position), clear);
            return isTheSame ? renewed : null;
        } catch (CipherException _) {
            return null;
        }
    }

    private static Run runOf(byte[] line, long offset) {
        int end = line.length - 1;
        boolean isEncrypted = PayloadCipher.isEncrypted(line, 0, end);
        return new Run(offset, offset + 1, isEncrypted ? PayloadCipher.keyId(line, 0, end) : CLEAR,
                isEncrypted && PayloadCipher.isBoundToOffset(line, 0, end), line.length);
    }

    /** Adds a run. Extends the last run if it is adjacent and has the same key and binding. */
    public static void add(List<Run> runs, Run next) {
        Run last = runs.isEmpty() ? null : runs.getLast();
        if (last != null && last.end == next.first && last.keyId.equals(next.keyId) && last.isBound == next.isBound) {
            runs.set(runs.size() - 1, new Run(last.first, next.end, last.keyId, last.isBound, last.bytes + next.bytes));
        } else {
            runs.add(next);
        }
    }
}
