package io.queenmq.server.catalog;

/** A queue to be created because somebody pushes to it. */
record Creation(String name, String namespace, String task, long sinceNs) {
    /** An unconfigured queue is filed by its name: namespace.task.rest */
    static Creation of(String name, long nowNs) {
        String[] parts = name.split("\\.", -1);
        return new Creation(name, parts[0], parts.length > 1 ? parts[1] : "", nowNs);
    }
}
