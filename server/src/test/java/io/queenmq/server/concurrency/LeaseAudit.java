package io.queenmq.server.concurrency;

import io.queenmq.server.harness.Cluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A log of every change of a cursor, written by triggers under the row lock. So the order of the log is the order of the changes
 * of one partition and group.
 */
final class LeaseAudit {
    private final Cluster cluster;

    private LeaseAudit(Cluster cluster) {
        this.cluster = cluster;
    }

    static LeaseAudit install(Cluster cluster) {
        cluster.execute("""
                create table public.audit (
                    seq bigserial primary key, at timestamptz not null default clock_timestamp(),
                    partition_id uuid, group_name text, lease_before uuid, lease_after uuid,
                    until_before timestamptz, end_before bigint, committed bigint);
                create function public.audit() returns trigger language plpgsql as $$
                begin
                    insert into public.audit (partition_id, group_name, lease_before, lease_after, until_before, end_before, committed)
                    values (new.partition_id, new.group_name, old.lease_id, new.lease_id, old.lease_until, old.lease_end,
                            new.committed);
                    return null;
                end $$""");
        cluster.everywhere("""
                create trigger audit after update on cursor for each row
                    when (old.lease_id is distinct from new.lease_id) execute function public.audit()""");
        // A cursor that is created by a lease starts with the lease.
        cluster.everywhere("""
                create trigger audit_of_new after insert on cursor for each row
                    when (new.lease_id is not null) execute function public.audit()""");
        return new LeaseAudit(cluster);
    }

    /** Returns leases that were replaced by another lease before they ended: there were two lease holders. */
    List<String> takeovers() {
        return texts("select lease_before || ' was taken over by ' || lease_after from public.audit"
                + " where lease_before is not null and lease_after is not null");
    }

    /** Returns leases that ended early, although their range was not finished and their holder neither nacked nor released. */
    List<String> endedTooEarly(Set<String> nacked) {
        List<String> ended = new ArrayList<>(texts("select lease_before::text from public.audit"
                + " where lease_after is null and committed < end_before and at < until_before"));
        ended.removeAll(nacked);
        return ended;
    }

    /** Returns the expired leases. */
    Set<String> expired() {
        return Set.copyOf(texts(
                "select lease_before::text from public.audit" + " where lease_after is null and at >= until_before"));
    }

    /** Returns the leases in the order of their creation. */
    Map<String, Long> grants() {
        Map<String, Long> grants = new HashMap<>();
        cluster.rows("select lease_after::text, min(seq) from public.audit where lease_after is not null group by 1")
                .forEach(row -> grants.put((String) row.get(0), (Long) row.get(1)));
        return grants;
    }

    private List<String> texts(String sql) {
        return cluster.rows(sql).stream().map(row -> (String) row.getFirst()).toList();
    }
}
