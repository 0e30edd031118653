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
import java.util.Objects;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sends hints to the other members of a JGroups group. Joining runs in the background and is retried until it succeeds; a
 * server without a group works, too. Opened and closed by the server.
 */
public final class GroupTransport implements Transport, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GroupTransport.class);

    private static final Duration JOIN_RETRY = Duration.ofSeconds(5);
    private static final Duration LEAVE_MAX = Duration.ofSeconds(4);

    private final ServerIdentity identity;
    private final ClusterConfig config;
    private final DatabaseConfig database;
    private final Traffic traffic = new Traffic();
    private final CountDownLatch closing = new CountDownLatch(1);
    /** Opens, owns and closes the channel. */
    private final Thread member = Thread.ofVirtual().name("queen-cluster-member").unstarted(this::run);
    private @Nullable Listener listener;
    private volatile @Nullable SealedTcp tcp;
    private volatile @Nullable JChannel channel;
    private volatile @Nullable String address;

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

    /** Starts to join in the background and returns immediately. */
    public void start() {
        member.start();
    }

    private void run() {
        boolean isLogged = false;
        do {
            try (JChannel opened = open()) {
                address = String.valueOf(opened.down(new Event(Event.GET_PHYSICAL_ADDRESS, opened.getAddress())));
                channel = opened;
                log.info("cluster transport listening on {}, members authenticate with {}", address,
                        config.secret() == null ? "the key in the database" : "QUEEN_SYNC_SECRET");
                awaitClosing(Duration.ofSeconds(Long.MAX_VALUE));
                channel = null;
                address = null;
            } catch (Exception e) {
                log.atLevel(isLogged ? Level.DEBUG : Level.WARN).log(
                        "cluster join failed, retrying in {} s, waiting pops poll meanwhile: {}",
                        JOIN_RETRY.toSeconds(), e.toString());
                isLogged = true;
            }
        } while (!awaitClosing(JOIN_RETRY));
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
        Listener receiver = Objects.requireNonNull(listener, "listen must be called before start");
        SealedTcp sealed = new SealedTcp(identity.id(), new Seal(group.key().bytes()), traffic,
                (from, bytes) -> receive(receiver, from, bytes));
        tcp = sealed;
        JChannel opened = GroupStack.build(config, database, sessions, sealed);
        try {
            opened.setName(identity.name());
            opened.addAddressGenerator(() -> addressOf(identity.id()));
            opened.setDiscardOwnMessages(true);
            opened.setReceiver(new MembershipReceiver(receiver));
            return opened.connect(group.name());
        } catch (Exception e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public void send(UUID member, Hint hint) {
        // Set before the first member is announced.
        Objects.requireNonNull(tcp).sendHint(addressOf(member), () -> HintCodec.encode(hint));
    }

    /** Returns the protocol that sends bytes between members; null before the first attempt to join. */
    @Nullable
    SealedTcp tcp() {
        return tcp;
    }

    /** Returns the channel of the group; null while this server is not a member. */
    @Nullable
    JChannel channel() {
        return channel;
    }

    @Override
    public boolean isJoined() {
        return channel != null;
    }

    @Override
    public @Nullable String address() {
        return address;
    }

    @Override
    public Traffic traffic() {
        return traffic;
    }

    /** Leaves the group, so that the other members remove this server without waiting for its timeout. */
    @Override
    public void close() {
        closing.countDown();
        if (channel == null) {
            member.interrupt();
        }
        try {
            if (member.isAlive() && !member.join(LEAVE_MAX)) {
                log.warn("leaving the cluster timed out after {} s; the other servers remove this one later",
                        LEAVE_MAX.toSeconds());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static org.jgroups.util.UUID addressOf(UUID id) {
        return new org.jgroups.util.UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private static @Nullable UUID idOf(Address address) {
        return address instanceof org.jgroups.util.UUID id
                ? new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits())
                : null;
    }

    private void receive(Listener receiver, UUID from, byte[] bytes) {
        try {
            Hint hint = HintCodec.decode(bytes);
            traffic.countReceived();
            receiver.received(from, hint);
        } catch (UnreadableHint e) {
            traffic.countUnreadable(e);
            log.debug("unreadable hint received from {}: {}", from, e.getMessage());
        }
    }

    /** Receives membership changes, on threads of JGroups. */
    private final class MembershipReceiver implements Receiver {
        private final Listener receiver;

        MembershipReceiver(Listener receiver) {
            this.receiver = receiver;
        }

        @Override
        public void viewAccepted(View view) {
            Set<UUID> others = new HashSet<>();
            view.forEach(member -> others.add(idOf(member)));
            others.remove(identity.id());
            others.remove(null);
            log.info("cluster members changed, other servers on this database: {}", others.size());
            receiver.members(others);
        }
    }
}
