package io.queenmq.server.http.access;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The things that a request names and that do not exist: nobody has a right on them, and no routine is called for them. */
public record Unknown(Set<Needs.Subject> subjects) {
    public boolean hasPartition(UUID id) {
        return subjects.contains(new Needs.Subject.Partition(id));
    }

    public String inWords() {
        return "there is no "
                + subjects.stream().map(Needs.Subject::inWords).distinct().sorted()
                        .collect(Collectors.joining(", no "));
    }
}
