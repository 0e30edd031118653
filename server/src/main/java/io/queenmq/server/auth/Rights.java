package io.queenmq.server.auth;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rights of a caller on queues: a list of entries such as {@code pop,read:billing/*}. An entry names rights, or {@code *}
 * for all of them, and after the first colon a pattern. The pattern is split at its last slash into a pattern for the namespace
 * and one for the name of the queue; without a slash it is about the name, in any namespace. Immutable.
 */
public final class Rights {
    static final int ENTRIES_MAX = 1_000;
    static final int ENTRY_CHARACTERS_MAX = 1_000;
    private static final String ALL = "*";

    private final List<String> entries;
    private final List<Grant> grants;

    private Rights(List<String> entries, List<Grant> grants) {
        this.entries = entries;
        this.grants = grants;
    }

    /**
     * Reads the claim of a token: a list of entries, or one entry.
     *
     * @param claim as JSON has it; null is malformed, because a token without rights does not have the claim
     * @throws MalformedRights if it is anything else
     */
    public static Rights ofClaim(@Nullable Object claim) {
        return switch (claim) {
            case String entry -> of(List.of(entry));
            case Collection<?> values -> {
                List<String> entries = new ArrayList<>(values.size());
                for (Object value : values) {
                    if (!(value instanceof String entry)) {
                        throw new MalformedRights("an entry is not a string");
                    }
                    entries.add(entry);
                }
                yield of(entries);
            }
            case null, default -> throw new MalformedRights("they are not a list of strings");
        };
    }

    /** @throws MalformedRights naming the first entry that cannot be read */
    public static Rights of(List<String> entries) {
        if (entries.size() > ENTRIES_MAX) {
            throw new MalformedRights("there are more than " + ENTRIES_MAX + " entries");
        }
        return new Rights(List.copyOf(entries), entries.stream().map(Grant::of).toList());
    }

    /** Returns the entries as they were given. */
    public List<String> entries() {
        return entries;
    }

    public boolean allow(Right right, String namespace, String queue) {
        for (Grant grant : grants) {
            if (grant.rights.contains(right) && grant.queue.matches(queue) && grant.namespace.matches(namespace)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if one entry grants the right on every queue of the namespace, whatever its name. */
    public boolean allowNamespace(Right right, String namespace) {
        return grants.stream().anyMatch(grant -> grant.rights.contains(right) && grant.queue.isEverything()
                && grant.namespace.matches(namespace));
    }

    /** Returns true if one entry grants the right on every queue there is or will be. */
    public boolean allowEverywhere(Right right) {
        return grants.stream().anyMatch(
                grant -> grant.rights.contains(right) && grant.queue.isEverything() && grant.namespace.isEverything());
    }

    /**
     * Returns true if whatever the other rights allow is allowed by these. Each entry must be covered by one entry for each of
     * its rights: entries that cover it only together do not count.
     */
    public boolean cover(Rights other) {
        return other.grants.stream()
                .allMatch(wanted -> wanted.rights.stream()
                        .allMatch(right -> grants.stream().anyMatch(grant -> grant.rights.contains(right)
                                && grant.queue.covers(wanted.queue) && grant.namespace.covers(wanted.namespace))));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rights rights && entries.equals(rights.entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    @Override
    public String toString() {
        return entries.toString();
    }

    private record Grant(Set<Right> rights, NamePattern namespace, NamePattern queue) {
        static Grant of(String entry) {
            int colon = entry.indexOf(':');
            if (colon < 0) {
                throw new MalformedRights("\"" + entry + "\" has no colon; write for example push:orders");
            }
            String pattern = entry.substring(colon + 1);
            if (entry.length() > ENTRY_CHARACTERS_MAX || entry.indexOf(0) >= 0) {
                throw new MalformedRights(
                        "an entry is longer than " + ENTRY_CHARACTERS_MAX + " characters or contains NUL");
            }
            int slash = pattern.lastIndexOf('/');
            String queue = pattern.substring(slash + 1);
            if (queue.isEmpty()) {
                throw new MalformedRights("\"" + entry + "\" names no queue; use * for all queues");
            }
            return new Grant(rights(entry.substring(0, colon)),
                    new NamePattern(slash < 0 ? ALL : pattern.substring(0, slash)), new NamePattern(queue));
        }

        private static Set<Right> rights(String words) {
            if (words.equals(ALL)) {
                return EnumSet.allOf(Right.class);
            }
            Set<Right> rights = EnumSet.noneOf(Right.class);
            for (String word : words.split(",", -1)) {
                rights.add(Right.of(word));
            }
            return rights;
        }
    }
}
