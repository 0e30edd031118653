package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.Reencryption;
import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.engine.cipher.Reencryption.Run;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.upkeep.FullSweeps.Place;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.KeyRoutines.StoredDeadLetter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Encrypts dead letters of old keys again, and counts those that keep another key. {@link DeadLetterPasses} decides which dead
 * letters are read. Owned by the upkeep thread.
 */
final class DeadLetterSweep {
    private final KeyRoutines routines;
    private final PayloadCipher cipher;
    private final boolean isReencrypting;
    private final UpkeepMeters meters;
    private final DeadLetterPasses passes = new DeadLetterPasses();

    /** @param isReencrypting true if dead letters are encrypted again as soon as all servers have the key */
    DeadLetterSweep(KeyRoutines routines, PayloadCipher cipher, boolean isReencrypting, UpkeepMeters meters) {
        this.isReencrypting = isReencrypting;
        this.routines = routines;
        this.cipher = cipher;
        this.meters = meters;
    }

    /** @param isOver the pass is interrupted then, and continues the next time */
    void check(UpkeepSession session, EncryptedQueue queue, Policy policy, BooleanSupplier isOver)
            throws TimeoutException {
        String current = Objects.requireNonNullElse(cipher.currentKeyId(), Reencryption.CLEAR);
        Place place = new Place(queue.id(), session.shard());
        long nowNs = Clock.SYSTEM.nowNs();
        DeadLetterPasses.Pass pass = passes.next(place, queue, current, nowNs);
        List<StoredDeadLetter> page;
        do {
            if (isOver.getAsBoolean()) {
                return;
            }
            page = routines.letters(session, queue.id(), pass.since(), pass.last());
            for (StoredDeadLetter letter : page) {
                count(pass, session, policy, letter);
                pass.read(letter);
            }
        } while (!page.isEmpty());
        passes.ended(place, pass, nowNs, isReencrypting && pass.others().containsAny(cipher.keyIds()));
        routines.lettersChecked(session, queue.id(), current, pass.startedAt(), pass.isFull(), pass.others());
    }

    private void count(DeadLetterPasses.Pass pass, UpkeepSession session, Policy policy, StoredDeadLetter letter)
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
                // A redrive has locked or moved the letter: count it with its old key.
                run = Reencryption.of(cipher, KeySweep.READ_ONLY, letter.partitionId(), letter.offset(), line).runs()
                        .getFirst();
            }
        }
        if (!run.keyId().equals(pass.keyId())) {
            pass.others().add(run.keyId(), run.bytes());
        }
    }
}
