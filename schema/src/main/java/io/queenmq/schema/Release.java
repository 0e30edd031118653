package io.queenmq.schema;

import java.util.List;
import java.util.stream.IntStream;

/** What this release brings along: its migrations, numbered 1, 2, 3 and so on, and its routines. */
record Release(List<Migration> migrations, RoutineSet routines) {
    Release {
        migrations = List.copyOf(migrations);
        var numbers = migrations.stream().map(Migration::number).toList();
        if (!numbers.equals(IntStream.rangeClosed(1, numbers.size()).boxed().toList())) {
            throw new IllegalArgumentException("migrations must be numbered from 1 without gaps, got " + numbers);
        }
    }

    /** This release, as its resources have it. */
    static Release load() {
        return from(Script.all());
    }

    static Release from(List<Script> scripts) {
        var migrations = scripts.stream().filter(script -> script.isIn("migrations")).map(Migration::from).toList();
        var routines = scripts.stream().filter(script -> !script.isIn("migrations")).toList();
        return new Release(migrations, RoutineSet.from(routines));
    }
}
