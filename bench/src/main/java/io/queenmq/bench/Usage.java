package io.queenmq.bench;

/** Resource usage up to a time, or between two times. Unknown values are NaN. */
record Usage(double serverCpuSeconds, double postgresCpuSeconds, double generatorCpuSeconds, double commits) {
    static final Usage NONE = new Usage(0, 0, 0, 0);

    Usage plus(Usage other) {
        return new Usage(serverCpuSeconds + other.serverCpuSeconds, postgresCpuSeconds + other.postgresCpuSeconds,
                generatorCpuSeconds + other.generatorCpuSeconds, commits + other.commits);
    }

    Usage minus(Usage other) {
        return new Usage(serverCpuSeconds - other.serverCpuSeconds, postgresCpuSeconds - other.postgresCpuSeconds,
                generatorCpuSeconds - other.generatorCpuSeconds, commits - other.commits);
    }
}
