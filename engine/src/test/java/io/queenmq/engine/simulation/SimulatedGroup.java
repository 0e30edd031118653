package io.queenmq.engine.simulation;

import io.queenmq.engine.cluster.Hint;
import io.queenmq.engine.cluster.HintCodec;
import io.queenmq.engine.cluster.Traffic;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.cluster.UnreadableHint;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Carries hints between the servers of a simulation. Loses, delays, reorders and duplicates them. */
final class SimulatedGroup {
    private static final long HINT_NS_MIN = 50_000;
    private static final long HINT_NS_MAX = 2_000_000;
    private static final long LATE_NS_MAX = 8_000_000_000L;
    /** The maximum time until the end of a server is detected. */
    private static final long NOTICED_NS_MAX = 15_000_000_000L;

    private final World world;
    private final Map<UUID, ServerTransport> seats = new LinkedHashMap<>();
    private HintFaults faults = HintFaults.NONE;
    private boolean isCut;

    SimulatedGroup(World world) {
        this.world = world;
    }

    void meet(HintFaults now) {
        faults = now;
    }

    /** Cuts the network between servers. They still reach PostgreSQL. */
    void setCut(boolean isCut) {
        this.isCut = isCut;
    }

    Transport join(SimulatedServer server, UUID id) {
        ServerTransport seat = new ServerTransport(server, id);
        seats.put(id, seat);
        seats.values().forEach(each -> announceMembers(each, HINT_NS_MAX));
        return seat;
    }

    void leave(UUID id) {
        seats.remove(id);
        seats.values().forEach(each -> announceMembers(each, NOTICED_NS_MAX));
    }

    private void announceMembers(ServerTransport seat, long withinNs) {
        world.after(world.someNs(HINT_NS_MIN, withinNs), seat.server.whileAlive(() -> {
            Set<UUID> others = new HashSet<>(seats.keySet());
            others.remove(seat.id);
            seat.listener.members(others);
        }));
    }

    private void carry(UUID from, UUID to, byte[] bytes) {
        ServerTransport seat = seats.get(to);
        if (seat == null || isCut || world.happens(faults.lost())) {
            return;
        }
        int copies = world.happens(faults.doubled()) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            long delayNs = world.someNs(HINT_NS_MIN, world.happens(faults.late()) ? LATE_NS_MAX : HINT_NS_MAX);
            world.after(delayNs, seat.server.whileAlive(() -> seat.listener.received(from, decode(bytes))));
        }
    }

    private static Hint decode(byte[] bytes) {
        try {
            return HintCodec.decode(bytes);
        } catch (UnreadableHint e) {
            throw new AssertionError(e);
        }
    }

    /** The transport of one server. */
    private final class ServerTransport implements Transport {
        private final SimulatedServer server;
        private final UUID id;
        private final Traffic traffic = new Traffic();
        private Listener listener;

        ServerTransport(SimulatedServer server, UUID id) {
            this.server = server;
            this.id = id;
        }

        @Override
        public void listen(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void send(UUID member, Hint hint) {
            traffic.countSent();
            carry(id, member, HintCodec.encode(hint));
        }

        @Override
        public boolean isJoined() {
            return true;
        }

        @Override
        public String address() {
            return "simulated:" + List.copyOf(seats.keySet()).indexOf(id);
        }

        @Override
        public Traffic traffic() {
            return traffic;
        }
    }
}
