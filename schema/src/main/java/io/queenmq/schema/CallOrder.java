package io.queenmq.schema;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Orders routines so that each one follows the routines that it calls. PostgreSQL checks the body of a function in SQL when it is
 * created, so what the function calls must exist. Functions in PL/pgSQL are not checked, so they may call each other recursively.
 */
final class CallOrder {
    private static final Pattern CALL = Pattern.compile(":api\\.(\\w+)");

    private final Map<String, Script> routines;
    private final Set<Script> visited = new HashSet<>();
    private final Set<Script> ordered = new LinkedHashSet<>();

    private CallOrder(List<Script> routines) {
        this.routines = routines.stream().collect(Collectors.toMap(Script::name, Function.identity()));
    }

    /**
     * Returns the routines with callees first, otherwise in the given order.
     *
     * @param routines with their inlines expanded; each name once
     */
    static List<Script> of(List<Script> routines) {
        var order = new CallOrder(routines);
        routines.forEach(order::add);
        return List.copyOf(order.ordered);
    }

    private void add(Script routine) {
        if (visited.add(routine)) {
            CALL.matcher(routine.text()).results().map(call -> routines.get(call.group(1)))
                    .filter(callee -> callee != null).forEach(this::add);
            ordered.add(routine);
        }
    }
}
