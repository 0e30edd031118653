package io.queenmq.schema;

import java.util.List;
import java.util.stream.Stream;

/**
 * All routines of a release, and the views that go with them. The set is named by what is in it: servers whose files are
 * the same share it, and those of another release have theirs beside it.
 */
record RoutineSet(String name, List<String> statements) {
    static final String PREFIX = "queen_api_";

    private static final String PLACEHOLDER = ":api";
    private static final int DIGITS = 12;

    static RoutineSet from(List<Script> scripts) {
        var parts = scripts.stream().flatMap(script -> Stream.of(script.path(), script.text())).toList();
        var name = PREFIX + Sha256.of(parts).substring(0, DIGITS);
        return new RoutineSet(name, scripts.stream().map(script -> script.text().replace(PLACEHOLDER, name)).toList());
    }
}
