package io.queenmq.engine.catalog;

/** A queue to be created by its first push. */
record Creation(String name, String namespace, String task, long sinceNs) {
    /** Derives the namespace and the task of an unconfigured queue from its name: {@code namespace.task.rest}. */
    static Creation of(String name, long nowNs) {
        String[] parts = name.split("\\.", -1);
        return new Creation(name, namespaceOf(name), parts.length > 1 ? parts[1] : "", nowNs);
    }

    /** Returns the namespace of a queue that is created by a push. */
    static String namespaceOf(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
