package io.queenmq.schema;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All routines and views of a release. Its name contains a hash of its files: servers with the same files share it, and
 * servers of another release use another set.
 *
 * @param name the schema of the routines
 * @param statements one for each routine, callees first
 * @param views one for each view; views are in the schema {@code queen} and shared by all releases
 */
record RoutineSet(String name, List<String> statements, List<String> views) {
    static final String PREFIX = "queen_api_";

    private static final String PLACEHOLDER = ":api";

    /**
     * The columns that every write of a partition or cursor also sets. Such a row has many old versions, and the newest one is
     * found by its generation.
     */
    private static final Pattern WRITTEN = Pattern.compile(":written\\((\\w+)\\)");
    private static final String NEXT_GENERATION = "writes = $1.writes + 1, generation = ($1.writes + 1) / 256";

    /**
     * Placeholder in the header of a routine that reads or writes per partition or per key and may be called in a session
     * without {@link Schema#SESSION_SETTINGS}. Such a routine has the settings itself, so that no plan scans a table.
     */
    private static final Pattern PLANS_BY_KEY = Pattern.compile(":plans_by_key\\b");

    private static final int DIGITS = 12;

    static RoutineSet from(List<Script> scripts) {
        var parts = scripts.stream().flatMap(script -> Stream.of(script.path(), script.text())).toList();
        var name = PREFIX + Sha256.of(parts).substring(0, DIGITS);
        var expanded = expand(scripts);
        var routines = CallOrder.of(expanded.stream().filter(Script::isRoutine).toList());
        var views = expanded.stream().filter(script -> script.isIn("views"));
        return new RoutineSet(name, routines.stream().map(script -> statement(script, name)).toList(),
                views.map(script -> statement(script, name)).toList());
    }

    /** Returns the scripts without the inlines, with each call of an inline replaced by its text. */
    static List<Script> expand(List<Script> scripts) {
        var inlines = scripts.stream().filter(script -> script.isIn("inline")).map(Inline::from).toList();
        return scripts.stream().filter(script -> !script.isIn("inline"))
                .map(script -> new Script(script.path(), Inline.expandAll(inlines, script.text()))).toList();
    }

    private static String statement(Script script, String name) {
        var text = PLANS_BY_KEY.matcher(script.text()).replaceAll(settings());
        return WRITTEN.matcher(text).replaceAll(NEXT_GENERATION).replace(PLACEHOLDER, name);
    }

    private static String settings() {
        return Schema.PLAN_SETTINGS.stream().map(name -> "set " + name + " = off").collect(Collectors.joining("\n"));
    }
}
