package io.queenmq.server.auth;

import io.netty.util.NetUtil;
import io.queenmq.server.config.AuthConfig.FailureLimits;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Blocks client addresses from which many tokens were rejected, so that guessing tokens costs no signature verification.
 * Tokens that were accepted before are not blocked, because many clients may share one address. Both tables drop their
 * least recently used entry when they are full. Safe from any thread.
 */
final class FailureLimit {
    static final int ADDRESSES_MAX = 10_000;
    static final int TOKENS_MAX = 10_000;

    /** The end of a token is its signature, which identifies the token and is short. */
    private static final int SIGNATURE_CHARACTERS = 64;
    private static final int IPV6_BYTES = 16;

    private final int max;
    private final long windowNs;
    private final long blockNs;
    private final LongSupplier clockNs;
    private final Map<String, Failures> byAddress = lru(ADDRESSES_MAX);
    private final Set<String> accepted = Collections.newSetFromMap(lru(TOKENS_MAX));

    FailureLimit(FailureLimits limits, LongSupplier clockNs) {
        this.max = limits.max();
        this.windowNs = limits.window().toNanos();
        this.blockNs = limits.block().toNanos();
        this.clockNs = clockNs;
    }

    /** Returns the nanoseconds for which tokens of the address are rejected unverified; 0 if this token is to be verified. */
    synchronized long blockedNs(String address, String token) {
        Failures failures = max == 0 ? null : byAddress.get(network(address));
        if (failures == null || !failures.isBlocked) {
            return 0;
        }
        long leftNs = failures.sinceNs + blockNs - clockNs.getAsLong();
        if (leftNs <= 0) {
            byAddress.remove(network(address));
            return 0;
        }
        return accepted.contains(signature(token)) ? 0 : leftNs;
    }

    synchronized void accepted(String token) {
        if (max > 0) {
            accepted.add(signature(token));
        }
    }

    synchronized void failed(String address, String token) {
        if (max == 0) {
            return;
        }
        accepted.remove(signature(token));
        long nowNs = clockNs.getAsLong();
        Failures failures = byAddress.computeIfAbsent(network(address), _ -> new Failures(nowNs));
        if (!failures.isBlocked && nowNs - failures.sinceNs >= windowNs) {
            failures.count = 0;
            failures.sinceNs = nowNs;
        }
        failures.count++;
        if (!failures.isBlocked && failures.count >= max) {
            failures.isBlocked = true;
            failures.sinceNs = nowNs;
        }
    }

    synchronized int addresses() {
        return byAddress.size();
    }

    /** Returns the /64 network of an IPv6 address, because one client usually has all addresses of it. */
    static String network(String address) {
        byte[] bytes = address.indexOf(':') < 0 ? null : NetUtil.createByteArrayFromIpAddressString(address);
        return bytes == null || bytes.length != IPV6_BYTES
                ? address
                : HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2) + "/64";
    }

    private static String signature(String token) {
        return token.substring(Math.max(0, token.length() - SIGNATURE_CHARACTERS));
    }

    private static <V> Map<String, V> lru(int max) {
        return new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > max;
            }
        };
    }

    private static final class Failures {
        private int count;
        private long sinceNs;
        private boolean isBlocked;

        Failures(long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }
}
