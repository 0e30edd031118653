package io.queenmq.client.wire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configured servers and their order for a request. Requests for the same partition and group start with the same
 * server, which has their state in memory. Thread-safe.
 */
public final class Endpoints {
    private final List<Endpoint> all;

    public Endpoints(List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("no server URL; set at least one");
        }
        this.all = urls.stream().map(Endpoint::new).toList();
    }

    /** Returns the key that requests for this partition and group share. */
    public static String affinity(String queue, @Nullable String partition, @Nullable String group) {
        return queue + ":" + (partition == null ? "*" : partition) + ":" + (group == null ? "*" : group);
    }

    /**
     * Returns all servers in the order of attempts: the preferred one, then by affinity, failed ones last.
     *
     * @param preferred null for none
     */
    List<Endpoint> inOrder(String affinity, @Nullable Endpoint preferred) {
        int first = Math.floorMod(spread(affinity.hashCode()), all.size());
        List<Endpoint> healthy = new ArrayList<>(all.size());
        List<Endpoint> failed = new ArrayList<>(0);
        if (preferred != null) {
            (preferred.isHealthy() ? healthy : failed).add(preferred);
        }
        for (int i = 0; i < all.size(); i++) {
            Endpoint each = all.get((first + i) % all.size());
            if (each != preferred) {
                (each.isHealthy() ? healthy : failed).add(each);
            }
        }
        healthy.addAll(failed);
        return healthy;
    }

    /** Mixes the bits. Otherwise names that differ only in the last character would map to neighboring servers. */
    private static int spread(int hash) {
        int mixed = hash * 0x9e3779b9;
        return mixed ^ mixed >>> 16;
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
