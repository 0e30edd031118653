package io.queenmq.server.http.access;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The objects of a request that do not exist. Rights on them cannot be checked, so no routine must be called for them. */
public record Unknown(Set<Needs.Subject> subjects) {
    public boolean hasPartition(UUID id) {
        return subjects.contains(new Needs.Subject.Partition(id));
    }

    public String inWords() {
        return "there is no " + subjects.stream().map(Needs.Subject::inWords).distinct().sorted()
                .collect(Collectors.joining(", no "));
    }
}
