package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.engine.cipher.StateId;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.upkeep.FullSweeps.Place;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.StateRoutines.SealedQuery;
import io.queenmq.server.upkeep.StateRoutines.StoredState;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts state of stream queries again, and counts values that keep another key. State is written in place, also by servers
 * that still encrypt with an old key, so all of it is read once an hour, and in every pass while some is to be encrypted again.
 * Owned by the upkeep thread.
 */
final class StateSweep {
    private final StateRoutines routines;
    private final PayloadCipher cipher;
    private final boolean isReencrypting;
    private final UpkeepMeters meters;
    private final FullSweeps sweeps = new FullSweeps();

    /** The action for one stored value. */
    enum Action {
        /** Encrypted with the current key. */
        NONE,
        /** Encrypted with another key of this server: encrypt it with the current one. */
        REENCRYPT,
        /** Stays with another key. */
        COUNT;

        /**
         * @param keyId of the value
         * @param currentKeyId of this server
         * @param keyIds all keys of this server
         */
        static Action of(String keyId, @Nullable String currentKeyId, Collection<String> keyIds, Policy policy) {
            if (keyId.equals(currentKeyId)) {
                return NONE;
            }
            return policy.isRewriting() && keyIds.contains(keyId) ? REENCRYPT : COUNT;
        }
    }

    /** @param isReencrypting true if state is encrypted again as soon as all servers have the key */
    StateSweep(String api, PayloadCipher cipher, boolean isReencrypting, UpkeepMeters meters) {
        this.isReencrypting = isReencrypting;
        this.routines = new StateRoutines(api);
        this.cipher = cipher;
        this.meters = meters;
    }

    /** @param isOver the pass is abandoned then, and starts again the next time */
    void check(UpkeepSession session, EncryptedQueue queue, Policy policy, BooleanSupplier isOver)
            throws TimeoutException {
        long nowNs = Clock.SYSTEM.nowNs();
        Place place = new Place(queue.id(), session.shard());
        if (!cipher.hasKey() || !sweeps.isDue(place, nowNs)) {
            return;
        }
        OtherKeys others = new OtherKeys();
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
                        process(others, session, query, policy, state);
                    }
                    last = state;
                }
            } while (page.size() == KeyRoutines.PAGE);
        }
        routines.checked(session, queue.id(), others);
        sweeps.ended(place, nowNs, isReencrypting && others.containsAny(cipher.keyIds()));
    }

    private void process(OtherKeys others, UpkeepSession session, SealedQuery query, Policy policy, StoredState state)
            throws TimeoutException {
        String keyId = PayloadCipher.keyId(state.value());
        boolean isCounted = switch (Action.of(keyId, cipher.currentKeyId(), cipher.keyIds(), policy)) {
            case NONE -> false;
            case REENCRYPT -> !isReplaced(session, query, state);
            case COUNT -> true;
        };
        if (isCounted) {
            others.add(keyId, state.value().length);
        }
    }

    private boolean isReplaced(UpkeepSession session, SealedQuery query, StoredState state) throws TimeoutException {
        byte[] renewed = renewed(StateId.of(query.id(), state.partitionId(), state.key()), state.value());
        if (renewed == null || !routines.replace(session, query, state, renewed)) {
            return false;
        }
        meters.reencrypted("stream_state", 1);
        return true;
    }

    /** Returns null if the value cannot be decrypted, or if its length would change, by which state is counted. */
    private byte @Nullable [] renewed(UUID place, byte[] value) {
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
