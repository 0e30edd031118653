package io.queenmq.client.wire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers, and whom to ask about what: the same partition and group always begin with the same server, whose memory then
 * holds what they need. Safe from any thread.
 */
public final class Endpoints {
    private final List<Endpoint> all;

    public Endpoints(List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("at least one server URL is needed");
        }
        this.all = urls.stream().map(Endpoint::new).toList();
    }

    /** What requests about this partition and group have in common. */
    public static String affinity(String queue, @Nullable String partition, @Nullable String group) {
        return queue + ":" + (partition == null ? "*" : partition) + ":" + (group == null ? "*" : group);
    }

    /**
     * All servers in the order they should be asked: the preferred one, then those the affinity leads to, the unwell ones
     * last.
     *
     * @param preferred null for none
     */
    List<Endpoint> inOrder(String affinity, @Nullable Endpoint preferred) {
        int first = Math.floorMod(spread(affinity.hashCode()), all.size());
        List<Endpoint> well = new ArrayList<>(all.size());
        List<Endpoint> unwell = new ArrayList<>(0);
        if (preferred != null) {
            (preferred.isWell() ? well : unwell).add(preferred);
        }
        for (int i = 0; i < all.size(); i++) {
            Endpoint each = all.get((first + i) % all.size());
            if (each != preferred) {
                (each.isWell() ? well : unwell).add(each);
            }
        }
        well.addAll(unwell);
        return well;
    }

    /** Names that differ in their last letter only would otherwise land side by side. */
    private static int spread(int hash) {
        int mixed = hash * 0x9e3779b9;
        return mixed ^ mixed >>> 16;
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
