package io.queenmq.verify;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.fault.Fault;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The preparations of all faults of a run. */
record Preparations(List<Fault> faults) implements Cluster.Preparation {
    @Override
    public Map<String, String> prepare(Path home, int server) {
        Map<String, String> settings = new HashMap<>();
        faults.forEach(each -> settings.putAll(each.prepare(home, server)));
        return settings;
    }

    @Override
    public void cleanUp(Path home) {
        faults.forEach(each -> each.cleanUp(home));
    }
}
