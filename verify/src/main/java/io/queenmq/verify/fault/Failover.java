package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Database;
import io.queenmq.verify.cluster.Signals;
import io.queenmq.verify.cluster.Standby;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Kills the primary and promotes a standby: a synchronous one, which has every confirmed commit, or a lagging one. */
final class Failover implements Fault {
    private final boolean isSynchronous;

    Failover(boolean isSynchronous) {
        this.isSynchronous = isSynchronous;
    }

    @Override
    public String name() {
        return isSynchronous ? "failover-synchronous" : "failover-lagging";
    }

    @Override
    public String description() {
        return isSynchronous
                ? "kill -9 of the primary and pg_promote of a synchronous standby; nothing may be lost"
                : "kill -9 of the primary and pg_promote of a standby that lags; the last commits are lost";
    }

    @Override
    public List<String> excuses() {
        // Leases are committed without waiting for the standby.
        return isSynchronous ? List.of("leases") : List.of("leases", "history");
    }

    @Override
    public boolean isOfPostmaster() {
        return true;
    }

    @Override
    public Optional<String> unavailable() {
        return Files.isExecutable(Path.of("/usr/bin/setpriv"))
                ? Optional.empty()
                : Optional.of("the program setpriv of util-linux is missing");
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        Database database = cluster.database();
        Standby standby = database.createStandby();
        if (isSynchronous) {
            database.execute("alter system set synchronous_standby_names = '*'");
            database.execute("select pg_reload_conf()");
            Fault.hold(duration);
        } else {
            Fault.hold(duration.dividedBy(2));
            for (long pid : standby.receivers()) {
                Signals.send(pid, "STOP");
            }
            Fault.hold(Duration.ofMillis(500 + random.nextInt(1_000)));
        }
        List<Long> receivers = standby.receivers();
        Signals.send(database.pid(), "KILL");
        receivers.forEach(pid -> Signals.send(pid, "CONT"));
        standby.promote();
        database.failOverTo(standby);
    }
}
