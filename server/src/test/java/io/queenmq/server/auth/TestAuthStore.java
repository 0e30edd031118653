package io.queenmq.server.auth;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Revoked tokens and recorded rejections in memory. */
public final class TestAuthStore implements AuthStore {
    private final List<RejectedAction> recorded = new ArrayList<>();
    private Revocations revocations = new Revocations(0, Set.of(), Map.of(), 0);
    private RuntimeException failure;
    private long calls;
    /** Calls that found nothing new since the last revocation. */
    private long unchanged;

    /** Revokes exactly these tokens from now on. */
    public synchronized void revoke(Set<String> tokenIds, Map<String, Double> subjects, double issuedBefore) {
        revocations = new Revocations(revocations.version() + 1, tokenIds, subjects, issuedBefore);
        unchanged = 0;
    }

    /** Returns to other contents with the same version, as a restored database may. */
    synchronized void revert(Set<String> tokenIds) {
        revocations = new Revocations(revocations.version(), tokenIds, Map.of(), 0);
    }

    /** @param failure of every call from now on; null for none */
    synchronized void failWith(RuntimeException failure) {
        this.failure = failure;
    }

    @Override
    public synchronized Revocations revocations(long knownVersion) {
        check();
        if (knownVersion == revocations.version()) {
            unchanged++;
            notifyAll();
            return null;
        }
        return revocations;
    }

    @Override
    public synchronized void record(List<RejectedAction> actions) {
        check();
        recorded.addAll(actions);
    }

    /** The records of the audit log, as text. */
    public synchronized List<String> recorded() {
        return recorded.stream().map(each -> each.actor() + " " + each.address() + " " + each.action() + " "
                + each.reason().label() + " " + each.count()).toList();
    }

    /** Returns when the current revocations are in force: the call after the one that returned them has begun. */
    public synchronized void awaitLoad() throws InterruptedException {
        while (unchanged == 0) {
            wait();
        }
    }

    /** Returns when the store was called once more. */
    synchronized void awaitCall() throws InterruptedException {
        long before = calls;
        while (calls == before) {
            wait();
        }
    }

    private void check() {
        calls++;
        notifyAll();
        if (failure != null) {
            throw failure;
        }
    }
}
