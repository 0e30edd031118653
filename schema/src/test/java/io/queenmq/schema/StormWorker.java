package io.queenmq.schema;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.PendingCheck;
import io.queenmq.schema.Api.Reader;
import io.queenmq.schema.Api.Renewal;
import io.queenmq.schema.Api.Span;
import io.queenmq.schema.Api.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Calls routines at random, in batches, in no particular order. Owned by one thread. */
final class StormWorker {
    static final List<String> GROUPS = List.of("red", "blue");
    static final String MORTAL_QUEUE = "mortal";
    static final int PARTITIONS = 4;

    private static final Set<String> EXPECTED_FAILURES = Set.of("QN001", "QN002", "QN006");

    private final Api api;
    private final Random random;
    private final LeaseLog log;
    private final Map<String, AtomicInteger> counts;
    private final List<Partition> stable;
    private final boolean removes;
    private final boolean isKeeper;
    private final List<OwnLease> leases = new ArrayList<>();
    private List<Partition> mortal = List.of();

    /** A lease of this worker, possibly expired, with its range. */
    private record OwnLease(LeaseRequest request, long first, long end) {}

    /** @param isKeeper whether it does upkeep, which one worker at a time may */
    StormWorker(Api api, Random random, LeaseLog log, Map<String, AtomicInteger> counts, List<Partition> stable,
            boolean removes, boolean isKeeper) {
        this.isKeeper = isKeeper;
        this.api = api;
        this.random = random;
        this.log = log;
        this.counts = counts;
        this.stable = stable;
        this.removes = removes;
    }

    static Map<String, AtomicInteger> newCounts() {
        return new ConcurrentHashMap<>();
    }

    void run(BooleanSupplier isOver) {
        var deck = deck();
        while (!isOver.getAsBoolean()) {
            deck.get(random.nextInt(deck.size())).run();
        }
    }

    /** The share of each operation in percent. */
    private List<Runnable> deck() {
        var shares = Map.<Runnable, Integer>ofEntries(Map.entry(this::push, 22),
                Map.entry(slowAtTimes(() -> lease(false)), 24), Map.entry(slowAtTimes(() -> lease(true)), 3),
                Map.entry(slowAtTimes(this::ack), 15), Map.entry(slowAtTimes(this::nack), 8),
                Map.entry(slowAtTimes(this::expire), 8), Map.entry(slowAtTimes(this::renew), 4),
                Map.entry(slowAtTimes(this::release), 3), Map.entry(this::transact, 7), Map.entry(this::look, 3),
                Map.entry(this::replaceMortalQueue, 3));
        var deck = new ArrayList<Runnable>();
        if (isKeeper) {
            deck.addAll(Collections.nCopies(30, this::keepUp));
        }
        shares.forEach((operation, share) -> deck.addAll(Collections.nCopies(share, operation)));
        if (removes) {
            deck.addAll(Collections.nCopies(6, slowAtTimes(this::remove)));
        }
        return deck;
    }

    /** Keeps its locks for a moment now and then, so that other workers wait while they acquire theirs. */
    private Runnable slowAtTimes(Runnable call) {
        return () -> {
            if (random.nextInt(8) > 0) {
                call.run();
                return;
            }
            api.execute("begin");
            call.run();
            api.execute("select pg_sleep(0.005)");
            api.execute("commit");
        };
    }

    private void push() {
        api.push(appends(1 + random.nextInt(4)).toArray(Append[]::new)).forEach(_ -> count("segments"));
    }

    private List<Append> appends(int max) {
        var partitions = pick(partitions(), max);
        var known = api.catchUp(100, 60,
                partitions.stream().map(partition -> CatchUp.of(partition, -1)).toArray(CatchUp[]::new));
        // Without a head: its queue is just being deleted, so the partition must wait.
        return known.stream().filter(heads -> heads.head() != null)
                .map(heads -> new Append(partitions.get(heads.index() - 1), heads.head(),
                        Batch.ofSize(1 + random.nextInt(5))))
                .toList();
    }

    private void lease(boolean isAutoAck) {
        var shared = UUID.randomUUID();
        boolean isShared = random.nextInt(4) == 0;
        var requests = pick(partitions(), 4).stream().flatMap(partition -> GROUPS.stream()
                .map(group -> LeaseRequest.of(partition, group, 1 + random.nextInt(8)).forSeconds(random.nextInt(2))))
                .map(request -> isShared ? request.as(shared) : request).toArray(LeaseRequest[]::new);
        long beginNs = System.nanoTime();
        var given = api.lease(isAutoAck, requests);
        long endNs = System.nanoTime();
        given.stream().filter(LeaseResult::isLeased).forEach(answer -> {
            count(isAutoAck ? "auto-acked" : "leased");
            if (!isAutoAck) {
                var request = requests[answer.index() - 1];
                log.granted(request, beginNs, endNs);
                leases.add(new OwnLease(request, answer.first(), answer.end()));
            }
        });
    }

    private void ack() {
        var some = someLoans();
        long beginNs = System.nanoTime();
        var cursorStates = api
                .ack(some.stream().map(loan -> Holder.of(loan.request(), part(loan))).toArray(Holder[]::new));
        long endNs = System.nanoTime();
        cursorStates.stream().filter(Api.CursorState::isLive).forEach(standing -> {
            count("acked");
            log.used(some.get(standing.index() - 1).request(), beginNs, endNs);
        });
    }

    private void nack() {
        var some = someLoans();
        var items = new ArrayList<Failed>();
        for (int i = 0; i < some.size(); i++) {
            var status = List.of("failed", "retry", "dlq").get(random.nextInt(3));
            items.add(new Failed(i + 1, someOffset(some.get(i)), status, "storm"));
        }
        long beginNs = System.nanoTime();
        var nacked = api.nack(some.stream().map(loan -> Holder.of(loan.request(), part(loan))).toList(),
                items.toArray(Failed[]::new));
        long endNs = System.nanoTime();
        nacked.holders().stream().filter(Api.CursorState::isLive).forEach(standing -> {
            count("nacked");
            log.used(some.get(standing.index() - 1).request(), beginNs, endNs);
        });
    }

    private void expire() {
        var readers = pick(partitions(), PARTITIONS * 2).stream()
                .flatMap(partition -> GROUPS.stream().map(group -> new Reader(partition.id(), group)))
                .toArray(Reader[]::new);
        api.expire(readers).forEach(_ -> count("expired"));
    }

    private void renew() {
        var some = someLoans().stream().filter(loan -> isMine(loan.request().lease())).toList();
        long beginNs = System.nanoTime();
        var renewed = api
                .renew(some.stream().map(loan -> new Renewal(loan.request().lease(), 1)).toArray(Renewal[]::new));
        long endNs = System.nanoTime();
        renewed.forEach(answer -> {
            count("renewed");
            log.used(some.get(answer.index() - 1).request(), beginNs, endNs);
        });
    }

    /**
     * A lease over several partitions may be live in one and expired in another, so its renewal is no proof for one
     * partition.
     */
    private boolean isMine(UUID lease) {
        return leases.stream().filter(loan -> loan.request().lease().equals(lease)).count() == 1;
    }

    private void release() {
        var some = someLoans();
        long beginNs = System.nanoTime();
        var released = api.release(some.stream().map(loan -> Holder.of(loan.request(), "{}")).toArray(Holder[]::new));
        long endNs = System.nanoTime();
        released.forEach(index -> {
            count("released");
            log.used(some.get(index - 1).request(), beginNs, endNs);
        });
    }

    private void transact() {
        var some = someLoans();
        var items = some.isEmpty() || random.nextBoolean()
                ? List.<Failed>of()
                : List.of(new Failed(1, someOffset(some.getFirst()), "failed", "storm"));
        try {
            api.transact(new Transaction(appends(2),
                    some.stream().map(loan -> Holder.of(loan.request(), part(loan))).toList(), items,
                    some.stream().map(loan -> loan.request().lease()).distinct().toList()));
            count("transacted");
        } catch (Rows.SqlFailure e) {
            if (!EXPECTED_FAILURES.contains(e.state())) {
                throw e;
            }
            count(e.state());
        }
    }

    /**
     * As an operator does, under the locks of the queue and of the partition: the chosen message stays until it is
     * removed.
     */
    private void remove() {
        var partition = pick(partitions(), 1).getFirst();
        api.execute("begin");
        api.execute("select from queen.queue where id = '" + partition.queueId() + "' for no key update");
        api.listIn(partition, _ -> 1, "select from partition where id = ? for no key update", partition.id());
        var removed = api.listIn(partition, rows -> rows.getString(1), """
                select %s.remove_offset(p.id, o.kept)
                from partition p
                cross join lateral (
                    select o as kept from generate_series(p.tail, p.head - 1) o
                    where not coalesce(p.removed @> o, false) order by random() limit 1) o
                where p.id = ?""".formatted(api.schema()), partition.id());
        api.execute("commit");
        removed.forEach(_ -> count("removed"));
    }

    private void look() {
        var partition = pick(partitions(), 1).getFirst();
        api.resolve(partition.queueId(), GROUPS.getFirst(), random.nextBoolean() ? 60 : null, "", 10);
        api.hasPending(new PendingCheck(partition.queueId(), null, GROUPS.getLast(), 60));
        api.loadLeases(10, new Reader(partition.id(), GROUPS.getFirst()));
        api.fetch(new Span(partition.id(), 0, 10));
    }

    private void keepUp() {
        if (new Upkeep(api).retain().completedRetention() > 0) {
            count("trimmed");
        }
        new Upkeep(api).evict();
        new Upkeep(api).deleteIdlePartitions(1, 100);
    }

    private void replaceMortalQueue() {
        if (random.nextInt(2) == 0 && api.deleteQueue(MORTAL_QUEUE)) {
            count("deleted");
        }
        var created = api.createQueues(MORTAL_QUEUE);
        if (created.isEmpty()) {
            return;
        }
        mortal = partitionsOf(api, created.getFirst());
        api.catchUp(0, 0, mortal.stream().map(partition -> CatchUp.of(partition, -1)).toArray(CatchUp[]::new));
        // One by one in random order, so that the rows are not stored in lock order.
        pick(mortal, PARTITIONS).forEach(
                partition -> GROUPS.forEach(group -> api.openCursors(new Opening(partition.id(), group, null))));
        api.subscribe("newcomers-" + random.nextInt(1000), MORTAL_QUEUE, "", "", "new", null);
    }

    static List<Partition> partitionsOf(Api api, Queue queue) {
        return api.list(
                rows -> new Partition(queue.id(), queue.name(), rows.getObject(2, UUID.class), rows.getString(1)),
                "select n, " + api.schema() + ".partition_id(?, n) from generate_series(1, " + PARTITIONS
                        + ") i, lateral (select 'partition-' || i as n) x",
                queue.id());
    }

    private List<Partition> partitions() {
        return random.nextInt(3) > 0 || mortal.isEmpty() ? stable : mortal;
    }

    private <T> List<T> pick(List<T> all, int max) {
        var shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, Math.min(1 + random.nextInt(max), shuffled.size()));
    }

    /** Up to four of the last leases, also expired ones, each cursor once. */
    private List<OwnLease> someLoans() {
        if (leases.size() > 40) {
            leases.subList(0, 20).clear();
        }
        var byCursor = new HashMap<Reader, OwnLease>();
        if (!leases.isEmpty()) {
            pick(leases.subList(Math.max(0, leases.size() - 8), leases.size()), 4)
                    .forEach(loan -> byCursor.put(Reader.of(loan.request()), loan));
        }
        return List.copyOf(byCursor.values());
    }

    private String part(OwnLease loan) {
        if (random.nextInt(3) > 0) {
            return "{[" + loan.first() + "," + loan.end() + ")}";
        }
        long offset = someOffset(loan);
        return "{[" + offset + "," + (offset + 1) + ")}";
    }

    private long someOffset(OwnLease loan) {
        return loan.first() + random.nextLong(loan.end() - loan.first());
    }

    private void count(String what) {
        counts.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
    }
}
