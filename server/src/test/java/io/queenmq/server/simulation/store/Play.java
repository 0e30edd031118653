package io.queenmq.server.simulation.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.catalog.CatalogStatements;
import io.queenmq.server.push.TransactionHash;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One random play: every step is made against the real routines and against the store, and what they answer is
 * compared. What is random follows from the seed alone.
 */
final class Play {
    private static final List<String> QUEUES = List.of("orders", "mail");
    private static final List<String> LANES = List.of("Default", "a", "b");
    private static final List<String> GROUPS = List.of(Database.NO_GROUP, "billing");
    /** They answer rows of queen.queue. */
    private static final Set<String> ROUTINES_OF_QUEUES = Set.of("create_queues", "configure");
    private static final long START = 1_767_225_600L * Moments.SECOND;

    private final RealRoutines real;
    private final SplittableRandom random;
    private final Store store;
    private final List<String> steps = new ArrayList<>();
    private final Set<String> events;
    private final List<Given> leases = new ArrayList<>();
    private long now = START;
    private int ids;
    private int messages;
    private OwnTransaction transaction;
    private Runnable unlock;

    /** A lease that was given to the play. */
    private record Given(UUID leaseId, Spot spot, long first, long end) {}

    /** A group in a lane that may or may not exist. */
    private record Spot(String queue, String lane, UUID laneId, String group) {}

    /**
     * @param real with nothing in it
     * @param events what happened is added, in a word each, so that one can see whether a play meets everything
     */
    Play(RealRoutines real, long seed, Set<String> events) {
        this.real = real;
        this.events = events;
        this.random = new SplittableRandom(seed);
        this.store = new Store(() -> now, () -> md5(Integer.toString(ids)));
    }

    /** What was done so far. */
    List<String> steps() {
        return steps;
    }

    void run(int count) {
        try {
            pass(0);
            prepare();
            for (int i = 0; i < count; i++) {
                pass(random.nextInt(0, 400) * 1_000L);
                step();
            }
        } finally {
            end();
        }
        Map<String, List<String>> expected = Snapshot.of(real);
        lookBack();
        Snapshot.of(store).forEach((table, rows) -> assertThat(rows).as(table).isEqualTo(expected.get(table)));
    }

    /** Notes what can be seen only afterwards. */
    private void lookBack() {
        Database database = store.database();
        database.catalog.queues().stream().filter(queue -> queue.laneFloor() > 0)
                .forEach(_ -> events.add("lane deleted"));
        database.lanes.all().stream().filter(lane -> !lane.removed().isEmpty()).forEach(_ -> events.add("removed"));
        database.cursors.all().stream().filter(cursor -> cursor.expiredCount() > 0).forEach(_ -> events.add("expired"));
        database.deadLetters.all().stream().map(DeadLetter::error).filter(Objects::nonNull)
                .forEach(error -> events.add("dead: " + error.split(":")[0]));
        store.truth().leases().forEach(lease -> events.add("lease ended: " + lease.how()));
    }

    /** Mostly there are some lanes and readers already. */
    private void prepare() {
        for (String queue : QUEUES) {
            if (oneIn(8)) {
                continue;
            }
            call("create_queues", new String[]{queue}, new String[]{"shop"}, new String[]{""});
            pass(1_000);
            for (String lane : LANES) {
                if (oneIn(4)) {
                    continue;
                }
                UUID laneId = LaneTable.idOf(queueId(queue), lane);
                call("catch_up", new UUID[]{laneId}, new UUID[]{queueId(queue)}, new String[]{lane}, new Long[]{-1L},
                        10, new Integer[]{60});
                if (!oneIn(4)) {
                    call("open_cursors", new UUID[]{laneId}, new String[]{any(GROUPS)}, new OffsetDateTime[]{null});
                }
            }
        }
    }

    private void pass(long micros) {
        now += micros;
        ids++;
        real.set(now, Integer.toString(ids));
    }

    private void end() {
        if (unlock != null) {
            unlock.run();
        }
        if (transaction != null) {
            endTransaction(random.nextBoolean());
        }
    }

    private void step() {
        List<Runnable> actions = new ArrayList<>();
        add(actions, 2, this::createQueue);
        add(actions, 2, this::configure);
        add(actions, 12, this::push);
        add(actions, 3, this::pushBounded);
        add(actions, 6, this::catchUp);
        add(actions, 6, this::openCursors);
        add(actions, 3, this::subscribe);
        add(actions, 16, this::lease);
        add(actions, 6, this::expire);
        add(actions, 3, this::release);
        add(actions, 10, this::ack);
        add(actions, 10, this::nack);
        add(actions, 2, this::heldBy);
        add(actions, 3, this::renew);
        add(actions, 8, this::transact);
        add(actions, 3, this::fetch);
        add(actions, 3, this::resolve);
        add(actions, 3, this::hasPending);
        add(actions, 3, this::evict);
        add(actions, 2, this::readCatalog);
        add(actions, 5, this::operate);
        add(actions, 4, this::keepUp);
        add(actions, 3, this::lock);
        add(actions, 3, this::ownTransaction);
        add(actions, 4, this::letTimePass);
        actions.get(random.nextInt(actions.size())).run();
    }

    private static void add(List<Runnable> actions, int weight, Runnable action) {
        for (int i = 0; i < weight; i++) {
            actions.add(action);
        }
    }

    // What there is to choose from.

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private UUID queueId(String name) {
        QueueRow queue = store.database().catalog.find(name);
        return queue == null ? md5("no queue") : queue.id();
    }

    /** Mostly a cursor that exists, and often one that somebody holds. */
    private Spot spot() {
        List<Cursor> cursors = store.database().cursors.all().stream().filter(cursor -> !oneIn(3) || cursor.isHeld())
                .toList();
        if (!cursors.isEmpty() && !oneIn(3)) {
            Cursor cursor = any(cursors);
            return new Spot(cursor.lane().queue().name(), cursor.lane().name(), cursor.lane().id(), cursor.group());
        }
        String queue = any(QUEUES);
        String lane = any(LANES);
        return new Spot(queue, lane, LaneTable.idOf(queueId(queue), lane), any(GROUPS));
    }

    /** Some (lane, group), each once. */
    private List<Spot> spots() {
        Set<Spot> spots = new LinkedHashSet<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            spots.add(spot());
        }
        return List.copyOf(spots);
    }

    /** Some lanes, each once. */
    private List<Spot> lanes() {
        List<Spot> lanes = new ArrayList<>();
        for (Spot spot : spots()) {
            if (lanes.stream().noneMatch(lane -> lane.laneId.equals(spot.laneId))) {
                lanes.add(spot);
            }
        }
        return lanes;
    }

    private Lane lane(Spot spot) {
        return store.database().lanes.find(spot.laneId);
    }

    private static UUID[] laneIds(List<Spot> spots) {
        return spots.stream().map(Spot::laneId).toArray(UUID[]::new);
    }

    private static UUID[] queueIdsOf(List<Spot> spots, java.util.function.Function<Spot, UUID> of) {
        return spots.stream().map(of).toArray(UUID[]::new);
    }

    private static String[] groups(List<Spot> spots) {
        return spots.stream().map(Spot::group).toArray(String[]::new);
    }

    private Integer[] numbers(int size, Supplier<Integer> number) {
        return IntStream.range(0, size).mapToObj(_ -> number.get()).toArray(Integer[]::new);
    }

    private static UUID md5(String text) {
        try {
            ByteBuffer digest = ByteBuffer
                    .wrap(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
            return new UUID(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    // How a step is made and compared.

    /** Calls the routine on both sides, compares, and answers the store's rows. */
    private List<Row> call(String routine, Object... arguments) {
        return compare(routine, statement(routine), arguments);
    }

    private List<Row> compare(String routine, String sql, Object... arguments) {
        steps.add(routine + Arrays.stream(arguments).map(Play::argumentText).toList());
        Outcome expected = Outcome.of(() -> real.call(sql, tuple(arguments)));
        Outcome actual = Outcome.of(() -> store.call(sql, tuple(arguments)));
        assertThat(actual.text).as("%s at %s", steps.getLast(), Moments.of(now)).isEqualTo(expected.text);
        actual.events().forEach(event -> events.add(routine + " " + event));
        return actual.rows;
    }

    private String statement(String routine) {
        String sql = Signature.of(routine).statement(real.api());
        return ROUTINES_OF_QUEUES.contains(routine)
                ? sql.replace("select", "select " + String.join(", ", real.queueColumns()) + " from")
                : sql;
    }

    private static Tuple tuple(Object... arguments) {
        Tuple tuple = Tuple.tuple();
        for (Object argument : arguments) {
            tuple.addValue(argument);
        }
        return tuple;
    }

    /** Rows, or the state an error has. */
    private record Outcome(List<String> text, List<Row> rows, String error) {
        private static final List<String> FLAGS = List.of("is_dead", "is_alone", "is_busy", "is_live", "is_released",
                "is_pending", "is_new");

        static Outcome of(Supplier<RowSet<Row>> call) {
            try {
                RowSet<Row> rows = call.get();
                List<Row> list = new ArrayList<>();
                rows.forEach(list::add);
                return new Outcome(list.stream().map(Play::text).sorted().toList(), list, null);
            } catch (PgException e) {
                return new Outcome(List.of(e.getSqlState() + " " + e.getErrorMessage()), List.of(), e.getSqlState());
            }
        }

        /** The error, or what is remarkable about the rows. */
        Set<String> events() {
            if (error != null) {
                return Set.of(error);
            }
            Set<String> events = new TreeSet<>(List.of(rows.isEmpty() ? "nothing" : "something"));
            for (Row row : rows) {
                if (row.getColumnIndex("status") >= 0) {
                    events.add(row.getString("status"));
                }
                if (row.getColumnIndex("base") >= 0 && row.getLong("base") == null
                        || row.getColumnIndex("head") >= 0 && row.getLong("head") == null) {
                    events.add("no place");
                }
                FLAGS.stream()
                        .filter(flag -> row.getColumnIndex(flag) >= 0 && Boolean.TRUE.equals(row.getBoolean(flag)))
                        .forEach(events::add);
            }
            return events;
        }
    }

    private static String argumentText(Object argument) {
        return argument instanceof Object[] array
                ? Arrays.stream(array).map(value -> value instanceof Buffer bytes ? bytes.length() + " bytes" : value)
                        .toList().toString()
                : String.valueOf(argument);
    }

    private static String text(Row row) {
        return row.getColumnIndex("attempts") < 0 ? Snapshot.text(row) : leaseText(row);
    }

    /** Of a lane that is not leased, no more than that is of use; how messages are gathered into runs does not matter. */
    private static String leaseText(Row row) {
        List<Object> values = new ArrayList<>();
        for (String column : List.of("index", "status", "first", "head", "until_ms", "acked")) {
            values.add(row.getValue(column));
        }
        if (row.getString("status").equals("leased")) {
            values.add(row.getLong("end"));
            values.add(row.getBoolean("is_alone"));
            Ranges finished = row.getString("acked") == null ? Ranges.NONE : Ranges.parse(row.getString("acked"));
            Long[] runs = row.getArrayOfLongs("attempts");
            for (int i = 0; runs != null && i < runs.length; i += 3) {
                for (long offset = runs[i]; offset < runs[i + 1]; offset++) {
                    if (offset >= row.getLong("first") && offset < row.getLong("end") && !finished.contains(offset)) {
                        values.add(offset + " failed " + runs[i + 2]);
                    }
                }
            }
        }
        return values.toString();
    }

    /** Does on the store what a routine of operators or upkeep does for real. */
    private void both(String what, String sql, Tuple arguments, Runnable onStore) {
        steps.add(what);
        String expected = errorOf(() -> real.call(sql, arguments));
        assertThat(errorOf(onStore)).as(what).isEqualTo(expected);
        events.add(what.substring(0, what.indexOf(' ')) + " " + expected.split(" ")[0]);
    }

    private static String errorOf(Runnable call) {
        try {
            call.run();
            return "none";
        } catch (PgException e) {
            return e.getSqlState() + " " + e.getErrorMessage();
        }
    }

    // The steps.

    private void createQueue() {
        call("create_queues", new String[]{any(QUEUES)}, new String[]{"shop"}, new String[]{""});
    }

    private void configure() {
        Signature signature = Signature.of("configure");
        Object[] arguments = new Object[signature.parameters().size()];
        String queue = any(QUEUES);
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = switch (signature.parameters().get(i)) {
                case "actor" -> "somebody";
                case "name" -> queue;
                case "retry_limit" -> maybe(any(List.of(0, 1, 1, 2)));
                case "retry_backoff" -> oneIn(3) ? any(List.of(1.0, 1.5, 3.0)) : null;
                case "retry_delay_ms" -> maybe(any(List.of(0, 300, 20_000)));
                case "max_size" -> oneIn(4) ? Long.valueOf(any(List.of(0L, 0L, 6L, 20L))) : null;
                case "max_wait_time_s" -> oneIn(4) ? any(List.of(0, 60)) : null;
                case "dead_letter_queue" -> oneIn(3) ? random.nextBoolean() : null;
                case "retention_enabled" -> oneIn(4) ? random.nextBoolean() : null;
                case "retention_s" -> oneIn(4) ? any(List.of(0, 120)) : null;
                case "completed_retention_s" -> oneIn(4) ? any(List.of(0, 30)) : null;
                case "dedup_window_s" -> oneIn(6) ? any(List.of(-1, 60)) : null;
                case "encryption_enabled" -> oneIn(20) ? true : null;
                default -> null;
            };
        }
        call("configure", arguments);
    }

    private Integer maybe(int value) {
        return random.nextBoolean() ? value : null;
    }

    private String[] transactionIds(int count) {
        return IntStream.range(0, count).mapToObj(_ -> "t" + (oneIn(6) ? random.nextInt(20) : messages++))
                .toArray(String[]::new);
    }

    /** Segments for some lanes, as push expects them. */
    private Tuple segments(List<Spot> lanes) {
        Long[] knowns = lanes.stream().map(spot -> lane(spot) == null ? 0L : lane(spot).head() - (oneIn(8) ? 1 : 0))
                .toArray(Long[]::new);
        Integer[] counts = numbers(lanes.size(), () -> random.nextInt(1, 5));
        Buffer[] hashes = new Buffer[counts.length];
        Buffer[] bodies = new Buffer[counts.length];
        for (int i = 0; i < counts.length; i++) {
            hashes[i] = Buffer.buffer();
            bodies[i] = Buffer.buffer();
            for (String transactionId : transactionIds(counts[i])) {
                hashes[i].appendLong(TransactionHash.of(transactionId));
                bodies[i].appendString("{\"id\":\"" + md5("m" + messages++) + "\",\"transactionId\":\"" + transactionId
                        + "\",\"traceId\":null,\"producerSub\":null,\"data\":{\"n\":" + messages + "}}\n");
            }
        }
        return tuple(laneIds(lanes), knowns, counts, hashes, bodies);
    }

    private long epoch() {
        return store.database().catalog.encryptionEpoch() - (oneIn(30) ? 1 : 0);
    }

    private void push() {
        call("push", segments(lanes()).addLong(epoch()));
    }

    private List<Row> call(String routine, Tuple arguments) {
        Object[] values = IntStream.range(0, arguments.size()).mapToObj(arguments::getValue).toArray();
        return call(routine, values);
    }

    private void pushBounded() {
        List<Spot> lanes = lanes();
        call("push_bounded", segments(lanes).addValue(limitedQueues(lanes)).addLong(epoch()));
    }

    /** For each lane its queue where that has a limit. */
    private UUID[] limitedQueues(List<Spot> lanes) {
        return lanes.stream().map(spot -> {
            QueueRow queue = store.database().catalog.find(spot.queue);
            return queue == null || queue.maxSize() == 0 ? null : queue.id();
        }).toArray(UUID[]::new);
    }

    private void catchUp() {
        List<Spot> lanes = lanes();
        Long[] knowns = lanes.stream()
                .map(spot -> lane(spot) == null ? -1L : random.nextLong(-1, lane(spot).head() + 1))
                .toArray(Long[]::new);
        call("catch_up", laneIds(lanes), queueIdsOf(lanes, spot -> queueId(spot.queue)),
                lanes.stream().map(Spot::lane).toArray(String[]::new), knowns, random.nextInt(1, 20),
                numbers(lanes.size(), () -> any(List.of(0, 1, 60, 3_600))));
    }

    private void openCursors() {
        List<Spot> spots = spots();
        call("open_cursors", laneIds(spots), groups(spots), spots.stream()
                .map(_ -> oneIn(3) ? Moments.of(now - random.nextInt(100) * Moments.SECOND) : null)
                .toArray(OffsetDateTime[]::new));
    }

    private void subscribe() {
        boolean isOfQueue = random.nextBoolean();
        String mode = any(List.of("all", "new", "timestamp"));
        call("subscribe", any(GROUPS), isOfQueue ? any(QUEUES) : "", isOfQueue ? "" : any(List.of("", "shop", "x")),
                "", mode, mode.equals("timestamp") ? Moments.of(now - random.nextInt(60) * Moments.SECOND) : null);
    }

    private void lease() {
        boolean isAutoAck = oneIn(5);
        List<Spot> spots = new ArrayList<>(spots());
        List<UUID> leaseIds = new ArrayList<>();
        UUID shared = leaseId(spots.getFirst().laneId);
        int lanesWanted = random.nextInt(1, 4);
        int batchWanted = oneIn(3) ? 1 : random.nextInt(2, 8);
        boolean isShared = random.nextBoolean();
        if (isShared) {
            spots.removeIf(spot -> !spot.group.equals(spots.getFirst().group));
        }
        if (oneIn(6) && !leases.isEmpty()) {
            // A call that was lost and is made again.
            shared = any(leases).leaseId;
        }
        for (Spot spot : spots) {
            leaseIds.add(isShared ? shared : leaseId(spot.laneId));
        }
        int size = spots.size();
        Integer[] delays = numbers(size, () -> oneIn(4) ? 5 : 0);
        Integer[] windows = numbers(size, () -> oneIn(6) ? 3 : 0);
        Integer[] batches = numbers(size, () -> batchWanted);
        Boolean[] plains = new Boolean[size];
        Boolean[] soles = new Boolean[size];
        for (int i = 0; i < size; i++) {
            plains[i] = (!isShared || size == 1) && delays[i] == 0 && windows[i] == 0
                    && isMadeFor(leaseIds.get(i), spots.get(i).laneId);
            soles[i] = lanesWanted == 1 || batchWanted == 1;
        }
        List<Row> rows = callByName("lease", Map.ofEntries(Map.entry("partition_ids", laneIds(spots)),
                Map.entry("group_names", groups(spots)), Map.entry("lease_ids", leaseIds.toArray(UUID[]::new)),
                Map.entry("batches", batches), Map.entry("lease_seconds", numbers(size, () -> random.nextInt(1, 60))),
                Map.entry("delay_seconds", delays), Map.entry("window_seconds", windows),
                Map.entry("lane_limits", numbers(size, () -> lanesWanted)), Map.entry("is_auto_ack", isAutoAck),
                Map.entry("plains", plains), Map.entry("soles", soles)));
        for (Row row : rows) {
            if (row.getString("status").equals("leased") && !isAutoAck) {
                int index = row.getInteger("index") - 1;
                leases.addFirst(new Given(leaseIds.get(index), spots.get(index), row.getLong("first"),
                        row.getLong("end")));
            }
        }
    }

    /** With those of the arguments that the routine has. */
    private List<Row> callByName(String routine, Map<String, Object> arguments) {
        return call(routine, Signature.of(routine).parameters().stream().map(arguments::get).toArray());
    }

    private UUID leaseId(UUID laneId) {
        long high = oneIn(6) ? random.nextLong() : laneId.getMostSignificantBits() & ~0xffffL;
        return new UUID(high | 0x8000 | random.nextInt(0x1000), random.nextLong() >>> 2 | 1L << 63);
    }

    private static boolean isMadeFor(UUID leaseId, UUID laneId) {
        return (leaseId.getMostSignificantBits() ^ laneId.getMostSignificantBits()) >>> 16 == 0;
    }

    private void expire() {
        if (random.nextBoolean()) {
            letTimePass();
        }
        List<Spot> spots = spots();
        call("expire", laneIds(spots), groups(spots));
    }

    /** Some leases that were given lately, each (lane, group) once. */
    private List<Given> held() {
        List<Given> some = new ArrayList<>();
        for (Given given : leases) {
            if (some.size() < 3 && random.nextInt(3) < 2
                    && some.stream().noneMatch(each -> each.spot.equals(given.spot))) {
                some.add(given);
            }
        }
        return some;
    }

    private static UUID[] leaseIds(List<Given> held) {
        return held.stream().map(Given::leaseId).toArray(UUID[]::new);
    }

    private static List<Spot> spotsOf(List<Given> held) {
        return held.stream().map(Given::spot).toList();
    }

    private void release() {
        List<Given> held = held();
        call("release", laneIds(spotsOf(held)), groups(spotsOf(held)), leaseIds(held));
    }

    private String completed(Given given, long without) {
        if (oneIn(3)) {
            return Ranges.of(given.first, given.end).minus(Ranges.of(without)).toString();
        }
        Ranges some = Ranges.NONE;
        for (long offset = given.first - 1; offset <= given.end; offset++) {
            boolean isInside = offset >= given.first && offset < given.end;
            some = offset != without && (isInside ? random.nextBoolean() : oneIn(12))
                    ? some.plus(Ranges.of(offset))
                    : some;
        }
        return some.toString();
    }

    private void ack() {
        List<Given> held = oneIn(10) ? List.of() : held();
        call("ack", laneIds(spotsOf(held)), groups(spotsOf(held)), leaseIds(held),
                held.stream().map(given -> completed(given, -1)).toArray(String[]::new));
    }

    /** What is said under some leases: the last eight arguments of nack. */
    private Tuple words(List<Given> held, boolean canFail) {
        List<Integer> holders = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        List<String> completed = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            Given given = held.get(i);
            long failed = canFail && !oneIn(4) ? random.nextLong(given.first, given.end + 1) : -1;
            completed.add(completed(given, failed));
            if (failed >= 0) {
                holders.add(i + 1);
                offsets.add(failed);
            }
        }
        String[] statuses = offsets.stream().map(_ -> any(List.of("failed", "failed", "failed", "retry", "dlq")))
                .toArray(String[]::new);
        return tuple(laneIds(spotsOf(held)), groups(spotsOf(held)), leaseIds(held), completed.toArray(String[]::new),
                holders.toArray(Integer[]::new), offsets.toArray(Long[]::new), statuses,
                offsets.stream().map(_ -> oneIn(3) ? null : "it broke").toArray(String[]::new));
    }

    private void nack() {
        call("nack", words(held(), true));
    }

    private void transact() {
        List<Spot> lanes = oneIn(3) ? List.of() : lanes();
        List<Given> held = oneIn(3) ? List.of() : held();
        Tuple arguments = segments(lanes);
        Tuple words = words(held, random.nextBoolean());
        for (int i = 0; i < words.size(); i++) {
            arguments.addValue(words.getValue(i));
        }
        UUID[] required = oneIn(3) ? held().stream().map(Given::leaseId).distinct().toArray(UUID[]::new) : new UUID[0];
        UUID[] limited = limitedQueues(lanes);
        call("transact", arguments.addValue(required)
                .addValue(Arrays.stream(limited).allMatch(Objects::isNull) ? new UUID[0] : limited).addLong(epoch()));
    }

    private void heldBy() {
        List<Spot> spots = spots();
        call("held", laneIds(spots), groups(spots), random.nextInt(10));
    }

    private void renew() {
        UUID[] leaseIds = held().stream().map(Given::leaseId).distinct().toArray(UUID[]::new);
        call("renew", leaseIds, numbers(leaseIds.length, () -> random.nextInt(1, 90)));
    }

    private void fetch() {
        List<Spot> spots = spots();
        Long[] firsts = spots.stream().map(_ -> random.nextLong(20)).toArray(Long[]::new);
        Long[] ends = Arrays.stream(firsts).map(first -> first + random.nextLong(10)).toArray(Long[]::new);
        call("fetch", laneIds(spots), firsts, ends);
    }

    private void resolve() {
        // Lanes pushed to at the same moment have no order, so all that were pushed to lately are asked for.
        if (random.nextBoolean()) {
            call("resolve", queueId(any(QUEUES)), any(GROUPS), random.nextInt(30), "", LANES.size());
        } else {
            call("resolve", queueId(any(QUEUES)), any(GROUPS), null, oneIn(3) ? any(LANES) : "", random.nextInt(2, 5));
        }
    }

    private void hasPending() {
        List<Spot> spots = spots();
        call("has_pending", queueIdsOf(spots, spot -> queueId(spot.queue)),
                spots.stream().map(spot -> oneIn(2) ? spot.laneId : null).toArray(UUID[]::new), groups(spots),
                numbers(spots.size(), () -> random.nextInt(30)));
    }

    private void evict() {
        List<Spot> spots = spots();
        call("evict", laneIds(spots), groups(spots));
    }

    private void readCatalog() {
        compare("state", CatalogStatements.STATE);
        compare("queues", CatalogStatements.ALL);
        compare("revised", CatalogStatements.REVISED_LANES, random.nextLong(store.database().catalog.version() + 1));
    }

    private void operate() {
        Spot spot = spot();
        boolean isOn = oneIn(3);
        Operators operators = store.operators();
        String routine = "select " + real.api() + ".";
        switch (random.nextInt(oneIn(6) ? 9 : 8)) {
            case 0 -> seek(spot, true);
            case 1 -> seek(spot, false);
            case 2 -> both("pause " + spot + isOn, routine + "pause_queue($1, $2, $3)", tuple("me", spot.queue, isOn),
                    () -> operators.pauseQueue(spot.queue, isOn));
            case 3 -> both("pause group " + spot + isOn, routine + "pause_group($1, $2, $3, $4)",
                    tuple("me", spot.group, spot.queue, isOn),
                    () -> operators.pauseGroup(spot.group, spot.queue, isOn));
            case 4 -> both("pause lane " + spot + isOn, routine + "pause_lane($1, $2, $3)",
                    tuple("me", spot.laneId, isOn), () -> operators.pauseLane(spot.laneId, isOn));
            case 5 -> both("clear " + spot, routine + "clear_queue($1, $2, $3)", tuple("me", spot.queue, spot.lane),
                    () -> operators.clearLane(spot.queue, spot.lane));
            case 6 -> {
                List<StoredMessage> stored = store.truth().messages().getOrDefault(spot.laneId, List.of());
                String transactionId = stored.isEmpty() ? "none" : any(stored).transactionId();
                both("remove " + spot + transactionId, routine + "remove_message($1, $2, $3)",
                        tuple("me", spot.laneId, transactionId),
                        () -> operators.removeMessage(spot.laneId, transactionId));
            }
            case 7 -> both("pop maintenance " + isOn, routine + "set_maintenance($1, 'pop', $2)", tuple("me", isOn),
                    () -> operators.setPopMaintenance(isOn));
            default -> call("delete_queue", "me", spot.queue);
        }
    }

    private void seek(Spot spot, boolean isOfQueue) {
        Lane lane = lane(spot);
        SeekPlace place = switch (random.nextInt(isOfQueue ? 3 : 4)) {
            case 0 -> new SeekPlace.Beginning();
            case 1 -> new SeekPlace.End();
            case 2 -> new SeekPlace.After(now - random.nextInt(100) * Moments.SECOND);
            default -> new SeekPlace.Offset(lane == null ? 0 : random.nextLong(lane.tail(), lane.head() + 3));
        };
        Tuple arguments = isOfQueue
                ? tuple("me", spot.group, spot.queue)
                : tuple("me", spot.group, spot.queue, spot.lane);
        arguments.addValue(place instanceof SeekPlace.End).addValue(place instanceof SeekPlace.Beginning)
                .addValue(place instanceof SeekPlace.After(long moment) ? Moments.of(moment) : null);
        String routine = "select " + real.api();
        if (isOfQueue) {
            both("seek " + spot + place, routine + ".seek_queue($1, $2, $3, $4, $5, $6)", arguments,
                    () -> store.operators().seekQueue(spot.group, spot.queue, place));
        } else {
            arguments.addValue(place instanceof SeekPlace.Offset(long offset) ? offset : null);
            both("seek lane " + spot + place, routine + ".seek_lane($1, $2, $3, $4, $5, $6, $7, $8)", arguments,
                    () -> store.operators().seekLane(spot.group, spot.queue, spot.lane, place));
        }
    }

    private void keepUp() {
        boolean isRetention = random.nextBoolean();
        Spot spot = spot();
        for (int tries = 0; tries < 5 && !isRetention
                && (lane(spot) == null || lane(spot).head() > lane(spot).tail()); tries++) {
            spot = spot();
        }
        keepUp(spot, isRetention);
    }

    private void keepUp(Spot spot, boolean isRetention) {
        if (lane(spot) == null) {
            return;
        }
        real.call("""
                insert into queen.lane_upkeep (partition_id, kind, queue_id, due_at) values ($1, $2, $3, $4)
                on conflict (partition_id, kind) do update set due_at = excluded.due_at""",
                tuple(spot.laneId, isRetention ? "retention" : "idle", queueId(spot.queue), Moments.of(0L)));
        real.call("delete from queen.lane_upkeep where due_at > $1", tuple(Moments.of(0L)));
        if (isRetention) {
            both("retention " + spot, "select * from " + real.api() + ".apply_retention(1, 1000)", tuple(),
                    () -> store.upkeep().applyRetention(spot.laneId));
        } else {
            both("idle " + spot, "select * from " + real.api() + ".delete_idle_lanes(0, 1)", tuple(),
                    () -> store.upkeep().deleteIdle(spot.laneId, 0));
        }
    }

    /** Somebody locks rows, or lets them go. */
    private void lock() {
        if (unlock != null) {
            unlock.run();
            return;
        }
        if (transaction != null) {
            return;
        }
        Spot spot = spot();
        UUID queueId = queueId(spot.queue);
        List<Runnable> unlocks = new ArrayList<>();
        real.executeAsSomebodyElse("begin");
        switch (random.nextInt(5)) {
            case 0 -> lockForDeletion(queueId, unlocks);
            case 1 -> lockForUpkeep(spot, unlocks);
            case 2 -> lockLane(spot, unlocks);
            default -> lockCursor(spot.laneId, spot.group, unlocks);
        }
        unlock = () -> {
            steps.add("unlock");
            real.executeAsSomebodyElse("rollback");
            unlocks.forEach(Runnable::run);
            unlock = null;
        };
    }

    private void lockCursor(UUID laneId, String group, List<Runnable> unlocks) {
        if (store.database().cursors.find(laneId, group) != null) {
            steps.add("lock cursor " + laneId + " " + group);
            real.callAsSomebodyElse("select from queen.cursor where partition_id = $1 and group_name = $2 for update",
                    tuple(laneId, group));
            store.locks().lockCursor(laneId, group);
            unlocks.add(() -> store.locks().unlockCursor(laneId, group));
        }
    }

    private void lockLane(Spot spot, List<Runnable> unlocks) {
        if (lane(spot) != null) {
            steps.add("lock lane " + spot);
            real.callAsSomebodyElse("select from queen.partition where id = $1 for no key update", tuple(spot.laneId));
            store.locks().lockLane(spot.laneId);
            unlocks.add(() -> store.locks().unlockLane(spot.laneId));
        }
    }

    private void lockForUpkeep(Spot spot, List<Runnable> unlocks) {
        if (lane(spot) != null) {
            steps.add("lock lane for upkeep " + spot);
            real.callAsSomebodyElse("select " + real.api() + ".take_lanes($1)",
                    tuple((Object) new UUID[]{spot.laneId}));
            store.locks().lockLaneForUpkeep(spot.laneId);
            unlocks.add(() -> store.locks().unlockLane(spot.laneId));
        }
    }

    /** As somebody does who deletes the queue and has not committed yet. */
    private void lockForDeletion(UUID queueId, List<Runnable> unlocks) {
        steps.add("lock queue " + queueId);
        real.callAsSomebodyElse("select from queen.queue where id = $1 for update", tuple(queueId));
        real.callAsSomebodyElse("select from queen.partition where queue_id = $1 for update", tuple(queueId));
        store.locks().lockQueue(queueId);
        unlocks.add(() -> store.locks().unlockQueue(queueId));
        for (Lane lane : store.database().lanes.of(queueId)) {
            store.locks().lockLane(lane.id());
            unlocks.add(() -> store.locks().unlockLane(lane.id()));
            store.database().cursors.of(lane).forEach(cursor -> lockCursor(lane.id(), cursor.group(), unlocks));
        }
    }

    /** Somebody's own transaction pushes, or ends. */
    private void ownTransaction() {
        if (unlock != null) {
            return;
        }
        if (transaction != null && oneIn(2)) {
            endTransaction(!oneIn(3));
            return;
        }
        if (transaction == null) {
            real.executeAsSomebodyElse("begin");
            transaction = store.ownTransaction();
        }
        Spot spot = spot();
        List<StoredMessage> stored = store.truth().messages().getOrDefault(spot.laneId, List.of());
        String transactionId = oneIn(3) && !stored.isEmpty() ? stored.getLast().transactionId() : transactionIds(1)[0];
        steps.add("push within " + spot + transactionId);
        String expected = said(() -> real.callAsSomebodyElse("select " + real.api() + ".push_within($1, $2, $3, $4)",
                tuple(spot.queue, spot.lane, "{}", transactionId)).iterator().next().getString(0));
        String actual = said(() -> transaction.push(spot.queue, spot.lane, "{}", transactionId));
        assertThat(actual).as("push within").isEqualTo(expected);
        events.add("push_within " + expected.split(" ")[0]);
        if (!expected.equals("queued") && !expected.equals("duplicate")) {
            // An error ends the transaction.
            endTransaction(false);
        }
    }

    private static String said(Supplier<String> call) {
        try {
            return call.get();
        } catch (PgException e) {
            return e.getSqlState() + " " + e.getErrorMessage();
        }
    }

    private void endTransaction(boolean isCommitted) {
        steps.add(isCommitted ? "commit" : "roll back");
        events.add(steps.getLast());
        real.executeAsSomebodyElse(isCommitted ? "commit" : "rollback");
        if (isCommitted) {
            transaction.commit();
        } else {
            transaction.rollBack();
        }
        transaction = null;
    }

    private void letTimePass() {
        pass(any(List.of(5L, 30L, 30L, 90L, 90L, 4_000L)) * Moments.SECOND);
        steps.add("time passes");
    }
}
