package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.Reencryption;
import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.engine.cipher.Reencryption.Run;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.KeyRoutines.StoredLetter;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Encrypts dead letters of old keys again, and counts those that stay with another key. All dead letters of a queue are
 * read when the current key changes, while some of them are still to be encrypted again, and once an hour; otherwise only
 * those that failed since the last pass.
 * Owned by the upkeep thread.
 */
final class LetterSweep {
    /** Longer than any transaction that adds dead letters may take. */
    private static final Duration COMMITTED_WITHIN = Duration.ofHours(1);
    private static final Duration WHOLE_EVERY = Duration.ofHours(1);

    private final KeyRoutines routines;
    private final PayloadCipher cipher;
    private final boolean isReencrypting;
    private final UpkeepMeters meters;
    /** When all dead letters have to be read again at the latest. */
    private final Map<Place, Long> wholeAgainNs = new HashMap<>();
    private final Map<Place, Unfinished> unfinished = new HashMap<>();

    /** A queue in a shard. */
    private record Place(UUID queueId, String shard) {}

    /** A pass that ran out of time. */
    private static final class Unfinished {
        private final OffsetDateTime startedAt;
        private final OffsetDateTime since;
        private final String keyId;
        private final Map<String, long[]> others = new HashMap<>();
        private StoredLetter last;

        Unfinished(OffsetDateTime startedAt, OffsetDateTime since, String keyId) {
            this.startedAt = startedAt;
            this.since = since;
            this.keyId = keyId;
        }
    }

    /** @param isReencrypting whether dead letters are encrypted again, as soon as all servers have the key */
    LetterSweep(KeyRoutines routines, PayloadCipher cipher, boolean isReencrypting, UpkeepMeters meters) {
        this.isReencrypting = isReencrypting;
        this.routines = routines;
        this.cipher = cipher;
        this.meters = meters;
    }

    void check(UpkeepSession session, EncryptedQueue queue, Policy policy, BooleanSupplier isOver)
            throws TimeoutException {
        String current = Objects.requireNonNullElse(cipher.currentKeyId(), Reencryption.CLEAR);
        Place place = new Place(queue.id(), session.shard());
        long nowNs = Clock.SYSTEM.nowNs();
        // Another server may have had the upkeep since, so the dead letters that it has left are not known here.
        boolean isWhole = !current.equals(queue.lettersKey()) || nowNs - wholeAgainNs.getOrDefault(place, nowNs) >= 0;
        Unfinished pass = unfinished.get(place);
        if (pass == null || !pass.keyId.equals(current)) {
            pass = new Unfinished(queue.now(),
                    isWhole || queue.lettersTo() == null ? null : queue.lettersTo().minus(COMMITTED_WITHIN), current);
            unfinished.put(place, pass);
        }
        List<StoredLetter> page;
        do {
            if (isOver.getAsBoolean()) {
                return;
            }
            page = routines.letters(session, queue.id(), pass.since, pass.last);
            for (StoredLetter letter : page) {
                count(pass, session, policy, letter);
                pass.last = letter;
            }
        } while (!page.isEmpty());
        unfinished.remove(place);
        if (pass.since == null) {
            boolean areLeft = isReencrypting && pass.others.keySet().stream().anyMatch(cipher.keyIds()::contains);
            wholeAgainNs.put(place, nowNs + (areLeft ? 0 : WHOLE_EVERY.toNanos()));
        }
        routines.lettersChecked(session, queue.id(), current, pass.startedAt, pass.since == null, pass.others);
    }

    private void count(Unfinished pass, UpkeepSession session, Policy policy, StoredLetter letter)
            throws TimeoutException {
        byte[] line = Arrays.copyOf(letter.line(), letter.line().length + 1);
        line[letter.line().length] = '\n';
        // The letter is a copy of its message, so it is bound to the position of the message.
        Reencryption renewed = Reencryption.of(cipher, policy, letter.partitionId(), letter.offset(), line);
        String error = policy.isRewriting() ? cipher.texts().renewed(letter.error()) : letter.error();
        Run run = renewed.runs().getFirst();
        boolean isChanged = renewed.body() != null || !Objects.equals(error, letter.error());
        if (isChanged) {
            byte[] body = renewed.body() == null ? line : renewed.body();
            if (routines.replaceLetter(session, letter, Arrays.copyOf(body, body.length - 1), error)) {
                meters.reencrypted("dead_letter", 1);
            } else {
                // A redrive has it at this moment.
                run = Reencryption.of(cipher, new Policy(false, false), letter.partitionId(), letter.offset(), line)
                        .runs().getFirst();
            }
        }
        if (!run.keyId().equals(pass.keyId)) {
            long[] sums = pass.others.computeIfAbsent(run.keyId(), _ -> new long[2]);
            sums[0]++;
            sums[1] += run.bytes();
        }
    }
}
