package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.engine.cipher.StatePlace;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.StateRoutines.SealedQuery;
import io.queenmq.server.upkeep.StateRoutines.StoredState;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Encrypts state of stream queries again, and counts values that stay with another key. State is written in place, also
 * by servers that still encrypt with an old key, so all of it is read once an hour, and in every pass while some is to be
 * encrypted again. Owned by the upkeep thread.
 */
final class StateSweep {
    private static final Duration EVERY = Duration.ofHours(1);

    private final StateRoutines routines;
    private final PayloadCipher cipher;
    private final boolean isReencrypting;
    private final UpkeepMeters meters;
    private final Map<Place, Long> nextNs = new HashMap<>();

    /** A queue in a shard. */
    private record Place(UUID queueId, String shard) {}

    /** @param isReencrypting whether state is encrypted again, as soon as all servers have the key */
    StateSweep(String api, PayloadCipher cipher, boolean isReencrypting, UpkeepMeters meters) {
        this.isReencrypting = isReencrypting;
        this.routines = new StateRoutines(api);
        this.cipher = cipher;
        this.meters = meters;
    }

    /** @param isOver the pass is given up then, and begun again the next time */
    void check(UpkeepSession session, EncryptedQueue queue, Policy policy, BooleanSupplier isOver)
            throws TimeoutException {
        long nowNs = Clock.SYSTEM.nowNs();
        Place place = new Place(queue.id(), session.shard());
        if (!cipher.hasKey() || nowNs - nextNs.getOrDefault(place, nowNs) < 0) {
            return;
        }
        Map<String, long[]> others = new HashMap<>();
        for (SealedQuery query : routines.queries(session, queue.id())) {
            StoredState last = null;
            List<StoredState> page;
            do {
                if (isOver.getAsBoolean()) {
                    return;
                }
                page = routines.states(session, query, last);
                for (StoredState state : page) {
                    if (state.isSealed()) {
                        count(others, session, query, policy, state);
                    }
                    last = state;
                }
            } while (page.size() == KeyRoutines.PAGE);
        }
        routines.checked(session, queue.id(), others);
        boolean areLeft = isReencrypting && others.keySet().stream().anyMatch(cipher.keyIds()::contains);
        nextNs.put(place, nowNs + (areLeft ? 0 : EVERY.toNanos()));
    }

    private void count(Map<String, long[]> others, UpkeepSession session, SealedQuery query, Policy policy,
            StoredState state) throws TimeoutException {
        String keyId = PayloadCipher.keyId(state.value());
        if (keyId.equals(cipher.currentKeyId())) {
            return;
        }
        if (policy.isRewriting() && cipher.keyIds().contains(keyId)) {
            byte[] renewed = renewed(StatePlace.of(query.id(), state.partitionId(), state.key()), state.value());
            if (renewed != null && routines.replace(session, query, state, renewed)) {
                meters.reencrypted("stream_state", 1);
                return;
            }
        }
        long[] sums = others.computeIfAbsent(keyId, _ -> new long[2]);
        sums[0]++;
        sums[1] += state.value().length;
    }

    /** Returns null when the value cannot be decrypted, or its length would change, by which state is counted. */
    private byte[] renewed(UUID place, byte[] value) {
        try {
            byte[] clear = cipher.decrypt(place, value);
            byte[] renewed = cipher.encrypt(place, clear, 0, clear.length);
            return renewed.length == value.length && Arrays.equals(cipher.decrypt(place, renewed), clear)
                    ? renewed
                    : null;
        } catch (CipherException _) {
            return null;
        }
    }
}
