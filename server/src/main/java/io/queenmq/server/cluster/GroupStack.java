package io.queenmq.server.cluster;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.ClusterConfig.Peer;
import io.queenmq.server.config.DatabaseConfig;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jgroups.JChannel;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.JDBC_PING2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the JGroups protocol stack of the channel between members. JGroups maintains the membership and retransmits its own
 * messages; hints bypass the stack.
 */
final class GroupStack {
    private static final Logger log = LoggerFactory.getLogger(GroupStack.class);

    private static final int PORTS = 100;
    private static final long JOIN_TIMEOUT_MS = 2_000;
    private static final int JOIN_ATTEMPTS = 3;
    private static final long LEAVE_TIMEOUT_MS = 1_000;
    /** A server that pauses for a while remains a member. Hints for it are dropped meanwhile. */
    private static final int REMOVED_AFTER_SILENCES = 3;
    private static final int HEARTBEATS = 5;
    private static final long VERIFY_MS = 1_500;
    /** Interval between searches for members of other subgroups. Each search opens a database session. */
    private static final long SEARCH_AFTER_MIN_MS = 2_000;
    private static final long SEARCH_AFTER_MAX_MS = 8_000;

    private GroupStack() {}

    static JChannel build(ClusterConfig config, DatabaseConfig database, DataSource sessions, SealedTcp tcp)
            throws Exception {
        boolean isListed = !config.peers().isEmpty();
        long removedAfterMs = REMOVED_AFTER_SILENCES * config.silentAfter().toMillis();
        tcp.setBindAddr(address(config, database)).setBindPort(config.port())
                .setPortRange(isListed || config.port() == 0 ? 0 : PORTS - 1);
        return new JChannel(tcp, isListed ? listed(config.peers()) : inDatabase(sessions),
                new MERGE3().setMaxInterval(SEARCH_AFTER_MAX_MS).setMinInterval(SEARCH_AFTER_MIN_MS),
                new FD_ALL3().setTimeout(removedAfterMs).setInterval(removedAfterMs / HEARTBEATS),
                new VERIFY_SUSPECT2().setTimeout(VERIFY_MS), new NAKACK2().useMcastXmit(false), new UNICAST3(),
                new STABLE(), new GMS().setJoinTimeout(JOIN_TIMEOUT_MS).setMaxJoinAttempts(JOIN_ATTEMPTS)
                        .setLeaveTimeout(LEAVE_TIMEOUT_MS).printLocalAddress(false));
    }

    private static Discovery inDatabase(DataSource sessions) {
        JDBC_PING2 discovery = new JDBC_PING2().setDataSource(sessions).setInitializeSql(null)
                .setInsertSingleSql("insert into queen.cluster_member (address, name, cluster, ip, coord)"
                        + " values (?, ?, ?, ?, ?)")
                .setDeleteSingleSql("delete from queen.cluster_member where address = ?")
                .setClearSql("delete from queen.cluster_member where cluster = ?")
                .setSelectAllPingdataSql("select address, name, ip, coord from queen.cluster_member where cluster = ?");
        discovery.removeAllDataOnViewChange(true);
        return discovery;
    }

    private static Discovery listed(List<Peer> peers) {
        List<InetSocketAddress> hosts = new ArrayList<>();
        for (Peer peer : peers) {
            try {
                hosts.add(new InetSocketAddress(InetAddress.getByName(peer.host()), peer.port()));
            } catch (UnknownHostException e) {
                log.warn("peer host {} cannot be resolved, waiting for a connection from it: {}", peer.host(),
                        e.getMessage());
            }
        }
        return new TCPPING().setInitialHosts(hosts).setPortRange(0);
    }

    private static InetAddress address(ClusterConfig config, DatabaseConfig database) throws IOException {
        if (config.host() != null) {
            return InetAddress.getByName(config.host());
        }
        // Sends no packet. The operating system only selects the route, and with it the local address.
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(InetAddress.getByName(database.host()), database.port()));
            return probe.getLocalAddress();
        }
    }
}
