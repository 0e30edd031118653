package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Database;
import java.time.Duration;
import java.util.Random;

/** Makes PostgreSQL wait for a synchronous standby that does not exist, so that no commit completes. */
final class StandbyUnavailable implements Fault {
    @Override
    public String name() {
        return "standby-unavailable";
    }

    @Override
    public String description() {
        return "the synchronous standby is unavailable, so commits wait for it";
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        Database database = cluster.database();
        database.execute("alter system set synchronous_standby_names = 'verify_unavailable'");
        database.execute("select pg_reload_conf()");
        try {
            Fault.hold(duration.multipliedBy(2));
        } finally {
            database.execute("alter system reset synchronous_standby_names");
            database.execute("select pg_reload_conf()");
        }
    }
}
