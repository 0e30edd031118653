package io.queenmq.schema;

import java.util.List;

/**
 * The migrations and routines of one release.
 *
 * @param migrations ascending by number; each number once
 */
record Release(List<Migration> migrations, RoutineSet routines) {
    Release {
        migrations = List.copyOf(migrations);
        for (int i = 1; i < migrations.size(); i++) {
            if (migrations.get(i - 1).number() >= migrations.get(i).number()) {
                throw new IllegalArgumentException("migrations must be listed ascending by number, each number once: "
                        + migrations.get(i - 1).name() + " precedes " + migrations.get(i).name());
            }
        }
    }

    /** Returns the version that the build wrote into the jar. */
    static String version() {
        var version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }

    Migration newest() {
        return migrations.getLast();
    }

    /** Loads this release from its resources. */
    static Release load() {
        return from(Script.all());
    }

    static Release from(List<Script> scripts) {
        var migrations = scripts.stream().filter(script -> script.isIn("migrations")).map(Migration::from).toList();
        var routines = scripts.stream().filter(script -> !script.isIn("migrations")).toList();
        return new Release(migrations, RoutineSet.from(routines));
    }
}
