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
 * What the channel between members is made of. JGroups agrees on who is a member, and repeats what it needs for that until it
 * gets through; hints go past all of it.
 */
final class GroupStack {
    private static final Logger log = LoggerFactory.getLogger(GroupStack.class);

    private static final int PORTS = 100;
    private static final long JOIN_TIMEOUT_MS = 2_000;
    private static final int JOIN_ATTEMPTS = 3;
    private static final long LEAVE_TIMEOUT_MS = 1_000;
    /** A server that stands still for a while stays a member; what is meant for it is dropped meanwhile. */
    private static final int GIVEN_UP_AFTER_SILENCES = 3;
    private static final int HEARTBEATS = 5;
    private static final long VERIFY_MS = 1_500;
    /** How often members look for others they have lost; each look opens a session. */
    private static final long LOOK_AFTER_MIN_MS = 2_000;
    private static final long LOOK_AFTER_MAX_MS = 8_000;

    private GroupStack() {}

    static JChannel build(ClusterConfig config, DatabaseConfig database, DataSource sessions, SealedTcp tcp)
            throws Exception {
        boolean isListed = !config.peers().isEmpty();
        long givenUpAfterMs = GIVEN_UP_AFTER_SILENCES * config.silentAfter().toMillis();
        tcp.setBindAddr(address(config, database)).setBindPort(config.port())
                .setPortRange(isListed || config.port() == 0 ? 0 : PORTS - 1);
        return new JChannel(tcp, isListed ? listed(config.peers()) : inDatabase(sessions),
                new MERGE3().setMaxInterval(LOOK_AFTER_MAX_MS).setMinInterval(LOOK_AFTER_MIN_MS),
                new FD_ALL3().setTimeout(givenUpAfterMs).setInterval(givenUpAfterMs / HEARTBEATS),
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
            } catch (UnknownHostException _) {
                log.warn("{} is not known; if it has this server in its list, it will find it", peer.host());
            }
        }
        return new TCPPING().setInitialHosts(hosts).setPortRange(0);
    }

    private static InetAddress address(ClusterConfig config, DatabaseConfig database) throws IOException {
        if (config.host() != null) {
            return InetAddress.getByName(config.host());
        }
        // Sends nothing: the system only decides which way it would take.
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(InetAddress.getByName(database.host()), database.port()));
            return probe.getLocalAddress();
        }
    }
}
