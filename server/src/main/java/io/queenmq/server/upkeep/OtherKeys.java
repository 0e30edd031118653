package io.queenmq.server.upkeep;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the values that are not encrypted with the current key, by key id. Owned by the upkeep thread. */
final class OtherKeys {
    private final Map<String, Sum> byKeyId = new TreeMap<>();

    private record Sum(long count, long bytes) {
        Sum plus(Sum other) {
            return new Sum(count + other.count, bytes + other.bytes);
        }
    }

    void add(String keyId, long bytes) {
        byKeyId.merge(keyId, new Sum(1, bytes), Sum::plus);
    }

    /** Returns true if at least one value is encrypted with one of these keys. */
    boolean containsAny(Collection<String> keyIds) {
        return keyIds.stream().anyMatch(byKeyId::containsKey);
    }

    String[] keyIds() {
        return byKeyId.keySet().toArray(String[]::new);
    }

    /** Returns the number of values per key, in the order of {@link #keyIds}. */
    Long[] counts() {
        return values().stream().map(Sum::count).toArray(Long[]::new);
    }

    /** Returns the number of bytes per key, in the order of {@link #keyIds}. */
    Long[] bytes() {
        return values().stream().map(Sum::bytes).toArray(Long[]::new);
    }

    private List<Sum> values() {
        return List.copyOf(byKeyId.values());
    }
}
