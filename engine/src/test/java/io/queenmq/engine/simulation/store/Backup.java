package io.queenmq.engine.simulation.store;

/** A copy of a {@link Store} as it was at one moment. */
public final class Backup {
    private final Database database;

    Backup(Database database) {
        this.database = database;
    }

    Database database() {
        return database;
    }
}
