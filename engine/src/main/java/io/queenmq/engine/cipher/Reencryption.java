package io.queenmq.engine.cipher;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The lines of a stored segment, or of a dead letter, encrypted with the current key and bound to their offsets. A line
 * that is so already, or that cannot be decrypted, keeps every byte. Each new line is decrypted again and compared before
 * it is accepted.
 *
 * @param body the new lines; null when no line changed
 * @param runs which keys the lines are encrypted with now, by offset
 * @param failures how many lines should have been changed and could not be decrypted
 */
public record Reencryption(byte[] body, List<Run> runs, int failures) {
    /** The key id of lines in clear text. */
    public static final String CLEAR = "";

    /**
     * Messages that follow each other and are encrypted alike.
     *
     * @param keyId {@link #CLEAR} for clear text
     */
    public record Run(long first, long end, String keyId, boolean isBound, long bytes) {}

    /**
     * What to do with lines.
     *
     * @param isRewriting whether lines are encrypted again at all, and not only read
     * @param isBinding whether every server decrypts lines that are bound to their offset
     */
    public record Policy(boolean isRewriting, boolean isBinding) {}

    /** @param body lines, each with its line break, from the offset base on */
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
                byte[] renewed = renewed(cipher, policy, new MessagePlace(partitionId, offset), line);
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
        // Without the key nothing can be done; this is no failure of the line.
        return isOfOtherKey
                ? cipher.keyIds().contains(keyId)
                : policy.isBinding && !PayloadCipher.isBoundToOffset(line, 0, end);
    }

    /** Returns null when the line cannot be decrypted, or not be encrypted. */
    private static byte[] renewed(PayloadCipher cipher, Policy policy, MessagePlace place, byte[] line) {
        int end = line.length - 1;
        try {
            byte[] clear = cipher.decrypt(line, 0, end, place);
            byte[] ended = Arrays.copyOf(clear, clear.length + 1);
            ended[clear.length] = '\n';
            boolean isBound = policy.isBinding || PayloadCipher.isBoundToOffset(line, 0, end);
            byte[] renewed = cipher.encrypt(ended, isBound ? place : null);
            boolean isTheSame = PayloadCipher.isEncrypted(renewed, 0, renewed.length - 1)
                    && Arrays.equals(cipher.decrypt(renewed, 0, renewed.length - 1, place), clear);
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

    /** Adds a run, joined with the last one if that ends where it begins and is of the same kind. */
    public static void add(List<Run> runs, Run next) {
        Run last = runs.isEmpty() ? null : runs.getLast();
        if (last != null && last.end == next.first && last.keyId.equals(next.keyId) && last.isBound == next.isBound) {
            runs.set(runs.size() - 1,
                    new Run(last.first, next.end, last.keyId, last.isBound, last.bytes + next.bytes));
        } else {
            runs.add(next);
        }
    }
}
