package io.queenmq.engine.simulation;

import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.ListRefusedCommand;
import io.queenmq.engine.command.RefusedFilter;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.spool.MemorySpool;
import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Simulates servers, clients and a faulty PostgreSQL on one thread and a virtual clock, determined by one seed. At the
 * end all faults are removed, and all guarantees are checked.
 */
final class Simulation {
    private static final long SECOND_NS = 1_000_000_000;
    /** Longer than a call, its repetition, and the time until requests fail because PostgreSQL is unavailable. */
    static final long ANSWER_WITHIN_NS = 30 * SECOND_NS;
    private static final long REST_NS = 120 * SECOND_NS;
    /** Longer than the last requests of clients take without faults, and than leases stay in memory. */
    private static final long LAST_REQUESTS_NS = 150 * SECOND_NS;

    private final World world;
    private final Plan plan;
    private final Store store;
    private final SimulatedPostgres postgres;
    private final SimulatedGroup group;
    private final History history = new History();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final Set<UUID> setAside = new HashSet<>();
    private boolean isQuiet;
    private boolean isOver;

    Simulation(long seed) {
        this(seed, UnaryOperator.identity());
    }

    /** @param change changes the plan of the seed */
    Simulation(long seed, UnaryOperator<Plan> change) {
        world = new World(seed);
        int shards = Integer.getInteger("simulation.shards", seed % 2 == 0 ? 3 : 1);
        plan = change.apply(Plan.of(world.random()).withShards(shards, shards > 1 ? 0.02 : 0, shards > 1 ? 0.01 : 0));
        store = new Store(new Shards(plan.shards()), world::epochMicros);
        postgres = new SimulatedPostgres(world, store, plan.shards());
        group = new SimulatedGroup(world);
    }

    /** Runs the simulation. Returns the violations. */
    List<String> play() {
        for (int i = 0; i < plan.servers(); i++) {
            addServer(plan.hasSpool() ? new MemorySpool() : null);
        }
        world.run(2 * SECOND_NS);
        configure();
        postgres.meet(plan.faults());
        group.meet(plan.hintFaults());
        Clients clients = new Clients(world, history, this::anyServer, ANSWER_WITHIN_NS);
        for (int i = 0; i < plan.producers(); i++) {
            new Producer(this, clients, "p" + i).start();
        }
        for (int i = 0; i < plan.consumers(); i++) {
            new Consumer(this, clients).start();
        }
        for (int i = 0; i < plan.transferrers(); i++) {
            new Transferrer(this, clients).start();
        }
        new Waiter(this, clients).start();
        for (int i = 0; i < plan.transferrers(); i++) {
            new Transactor(this, clients, "x" + i).start();
        }
        FaultInjector injector = new FaultInjector(this, plan, postgres, group, store);
        injector.start();
        world.run(plan.seconds() * SECOND_NS);
        isQuiet = true;
        injector.heal();
        world.run(REST_NS);
        servers.forEach(this::listRefused);
        world.run(SECOND_NS);
        Leftovers leftovers = new Leftovers(servers);
        leftovers.countSurplus(servers);
        isOver = true;
        world.runUntil(leftovers::wereGone, LAST_REQUESTS_NS);
        return new Checker(this, store, history, leftovers).violations();
    }

    private void listRefused(SimulatedServer server) {
        server.engine().submit(new ListRefusedCommand(new RefusedFilter(null, null), Integer.MAX_VALUE,
                Reply.of(messages -> messages.forEach(each -> setAside.add(each.messageId())), _ -> {})));
    }

    private void configure() {
        for (int i = 0; i < plan.queues(); i++) {
            QueueOptions options = QueueOptions.NONE.with(QueueOption.LEASE_TIME, 3 + world.random().nextInt(8))
                    .with(QueueOption.RETRY_LIMIT, 1 + world.random().nextInt(3))
                    .with(QueueOption.RETRY_DELAY, world.random().nextInt(600));
            servers.getFirst().engine()
                    .submit(new ConfigureCommand(null, true, "queue-" + i, null, null, options, Reply.ignored()));
        }
        world.run(SECOND_NS);
    }

    World world() {
        return world;
    }

    Plan plan() {
        return plan;
    }

    History history() {
        return history;
    }

    List<SimulatedServer> servers() {
        return servers;
    }

    SimulatedPostgres postgres() {
        return postgres;
    }

    /** Returns true in the last phase: producers have stopped, and consumers finish all messages. */
    boolean isQuiet() {
        return isQuiet;
    }

    /** Returns true when all messages are read and clients send no more requests. */
    boolean isOver() {
        return isOver;
    }

    /** Returns the ids of spooled messages that PostgreSQL has refused. */
    Set<UUID> setAside() {
        return setAside;
    }

    boolean hasServer() {
        return servers.stream().anyMatch(SimulatedServer::isServing);
    }

    String anyQueue() {
        return "queue-" + world.random().nextInt(plan.queues());
    }

    String anyPartition() {
        return "partition-" + world.random().nextInt(plan.partitions());
    }

    String anyGroup() {
        return plan.groups().get(world.random().nextInt(plan.groups().size()));
    }

    /** Returns the groups that read all queues. */
    List<String> readingGroups() {
        List<String> groups = new ArrayList<>(plan.groups());
        if (plan.transferrers() > 0) {
            groups.add(Plan.TRANSFER_GROUP);
        }
        return groups;
    }

    private SimulatedServer anyServer() {
        List<SimulatedServer> serving = servers.stream().filter(SimulatedServer::isServing).toList();
        return serving.isEmpty() ? null : serving.get(world.random().nextInt(serving.size()));
    }

    private void addServer(MemorySpool spool) {
        SimulatedServer server = new SimulatedServer(world, postgres, group, plan.settings(), spool);
        servers.add(server);
        server.start(() -> replace(server));
    }

    /** Crashes one server, at once or during its next access to the disk, and replaces it. */
    void crashOne() {
        SimulatedServer server = anyServer();
        if (server != null && server.spool() != null && world.happens(0.5)) {
            server.spool().crashSoon(world.random());
        } else if (server != null) {
            replace(server);
        }
    }

    void failInTask() {
        SimulatedServer server = anyServer();
        if (server != null) {
            server.failInTask();
        }
    }

    private void replace(SimulatedServer server) {
        server.crash();
        servers.remove(server);
        if (server.spool() != null) {
            server.spool().crash(world.random());
        }
        world.after(world.someNs(100_000_000, 5 * SECOND_NS), () -> addServer(server.spool()));
    }
}
