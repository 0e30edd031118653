package io.queenmq.server.cluster;

import io.queenmq.engine.cluster.Hint;
import io.queenmq.engine.cluster.HintCodec;
import io.queenmq.engine.cluster.Traffic;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.cluster.UnreadableHint;
import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.JdbcSessions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.logging.LogFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Carries hints to other members of a group of JGroups. Joining takes place in the background and is tried again until it
 * succeeds; a server without a group works as well. Opened and closed by the server.
 */
public final class GroupTransport implements Transport, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GroupTransport.class);

    private static final Duration JOIN_AGAIN_AFTER = Duration.ofSeconds(5);
    private static final Duration LEAVE_MAX = Duration.ofSeconds(4);

    private final ServerIdentity identity;
    private final ClusterConfig config;
    private final DatabaseConfig database;
    private final Traffic traffic = new Traffic();
    private final CountDownLatch closing = new CountDownLatch(1);
    /** Owns the channel from its beginning to its end. */
    private final Thread member = Thread.ofVirtual().name("queen-cluster-member").unstarted(this::run);
    private Listener listener;
    private volatile SealedTcp tcp;
    private volatile JChannel channel;
    private volatile String address;

    static {
        LogFactory.setCustomLogFactory(new GroupLog());
    }

    public GroupTransport(ServerIdentity identity, ClusterConfig config, DatabaseConfig database) {
        this.identity = identity;
        this.config = config;
        this.database = database;
    }

    @Override
    public void listen(Listener listener) {
        this.listener = listener;
    }

    /** Begins to join and returns. */
    public void start() {
        member.start();
    }

    private void run() {
        boolean wasTold = false;
        do {
            try (JChannel opened = open()) {
                address = String.valueOf(opened.down(new Event(Event.GET_PHYSICAL_ADDRESS, opened.getAddress())));
                channel = opened;
                log.info("listening for other servers on {}, which prove themselves by {}", address,
                        config.secret() == null ? "the key in the database" : "QUEEN_SYNC_SECRET");
                awaitClosing(Duration.ofSeconds(Long.MAX_VALUE));
                channel = null;
                address = null;
            } catch (Exception e) {
                log.atLevel(wasTold ? Level.DEBUG : Level.WARN)
                        .log("other servers cannot be joined, trying again; consumers here look for themselves: {}",
                                e.toString());
                wasTold = true;
            }
        } while (!awaitClosing(JOIN_AGAIN_AFTER));
    }

    private boolean awaitClosing(Duration max) {
        try {
            return closing.await(max.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            return true;
        }
    }

    private JChannel open() throws Exception {
        DataSource sessions = JdbcSessions.of(database);
        GroupIdentity group = GroupIdentity.read(sessions, config.secret());
        tcp = new SealedTcp(identity.id(), new Seal(group.key().bytes()), traffic, this::hear);
        JChannel opened = GroupStack.build(config, database, sessions, tcp);
        try {
            opened.setName(identity.name());
            opened.addAddressGenerator(() -> addressOf(identity.id()));
            opened.setDiscardOwnMessages(true);
            opened.setReceiver(new Incoming());
            return opened.connect(group.name());
        } catch (Exception e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public void send(UUID member, Hint hint) {
        // There are no members before there is this.
        tcp.sendHint(addressOf(member), () -> HintCodec.encode(hint));
    }

    /** What carries bytes between members; null before the first try to join. */
    SealedTcp tcp() {
        return tcp;
    }

    /** What the group is made of; null as long as there is none. */
    JChannel channel() {
        return channel;
    }

    @Override
    public boolean isJoined() {
        return channel != null;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Traffic traffic() {
        return traffic;
    }

    /** Leaves the group, so that nobody waits for this server to come back. */
    @Override
    public void close() {
        closing.countDown();
        if (channel == null) {
            member.interrupt();
        }
        try {
            if (member.isAlive() && !member.join(LEAVE_MAX)) {
                log.warn("the other servers are left without a word");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static org.jgroups.util.UUID addressOf(UUID id) {
        return new org.jgroups.util.UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private static UUID idOf(Address address) {
        return address instanceof org.jgroups.util.UUID id
                ? new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits())
                : null;
    }

    private void hear(UUID from, byte[] bytes) {
        try {
            Hint hint = HintCodec.decode(bytes);
            traffic.countReceived();
            listener.heard(from, hint);
        } catch (UnreadableHint e) {
            traffic.countUnreadable(e);
            log.debug("{} sent {}", from, e.getMessage());
        }
    }

    /** What JGroups says, on its threads. */
    private final class Incoming implements Receiver {
        @Override
        public void viewAccepted(View view) {
            Set<UUID> others = new HashSet<>();
            view.forEach(member -> others.add(idOf(member)));
            others.remove(identity.id());
            others.remove(null);
            log.info("{} other servers on this database", others.size());
            listener.members(others);
        }
    }
}
