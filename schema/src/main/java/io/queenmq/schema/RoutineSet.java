package io.queenmq.schema;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All routines of a release, and the views that go with them. The set is named by what is in it: servers whose files are
 * the same share it, and those of another release have theirs beside it.
 */
record RoutineSet(String name, List<String> statements) {
    static final String PREFIX = "queen_api_";

    private static final String PLACEHOLDER = ":api";

    /**
     * What every write of a lane or cursor sets besides. A row that is written for every call leaves old versions behind,
     * and the newest is found by its generation.
     */
    private static final Pattern WRITTEN = Pattern.compile(":written\\((\\w+)\\)");
    private static final String NEXT_GENERATION = "writes = $1.writes + 1, generation = ($1.writes + 1) / 256";

    private static final int DIGITS = 12;

    static RoutineSet from(List<Script> scripts) {
        var parts = scripts.stream().flatMap(script -> Stream.of(script.path(), script.text())).toList();
        var name = PREFIX + Sha256.of(parts).substring(0, DIGITS);
        var inlines = scripts.stream().filter(script -> script.isIn("inline")).map(Inline::from).toList();
        return new RoutineSet(name, scripts.stream().filter(script -> !script.isIn("inline"))
                .map(script -> statement(script, inlines, name)).toList());
    }

    private static String statement(Script script, List<Inline> inlines, String name) {
        var text = script.text();
        for (var inline : inlines) {
            text = inline.expandIn(text);
        }
        return WRITTEN.matcher(text).replaceAll(NEXT_GENERATION).replace(PLACEHOLDER, name);
    }
}
