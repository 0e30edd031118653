package io.queenmq.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.cluster.Hint;
import io.queenmq.engine.cluster.Hint.Heartbeat;
import io.queenmq.engine.cluster.HintCodec;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jgroups.Version;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Members of a group with a real network, without servers. */
class GroupTransportTest {
    private static TestDatabase database;

    private final List<Member> members = new ArrayList<>();

    @BeforeAll
    static void create() {
        database = InstalledDatabase.create();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @AfterEach
    void leave() {
        members.forEach(Member::close);
    }

    @Test
    void membersDiscoverEachOtherThroughTheDatabaseAndRemoveTheirRows() {
        Member a = join(Map.of());
        Member b = join(Map.of());
        Member c = join(Map.of());
        awaitMembers(a, b, c);
        awaitHint(a, b);
        awaitHint(c, b);
        assertThat(rows()).isEqualTo(3);

        b.close();

        Await.until(() -> a.others().equals(Set.of(c.id())) && c.others().equals(Set.of(a.id())));
        a.close();
        c.close();
        assertThat(rows()).isZero();
    }

    @Test
    void membersDiscoverEachOtherByAList() {
        int first = FreePort.choose();
        int second = FreePort.choose();
        String peers = "127.0.0.1:" + first + ",127.0.0.1:" + second;
        Member a = join(Map.of("QUEEN_UDP_PEERS", peers, "QUEEN_SYNC_PORT", Integer.toString(first)));
        Member b = join(Map.of("QUEEN_UDP_PEERS", peers, "QUEEN_SYNC_PORT", Integer.toString(second)));
        awaitMembers(a, b);
        awaitHint(a, b);

        // A member of an earlier test that is still leaving may write its row once more.
        assertThat(addresses()).noneMatch(each -> each.endsWith(":" + first) || each.endsWith(":" + second));
    }

    @Test
    void aServerWithAnotherSecretIsNoMemberAndDoesNotDisturb() {
        Member a = join(Map.of("QUEEN_SYNC_SECRET", "right"));
        Member b = join(Map.of("QUEEN_SYNC_SECRET", "right"));
        Member stranger = join(Map.of("QUEEN_SYNC_SECRET", "wrong"));
        Member keyless = join(Map.of());
        awaitMembers(a, b);
        Await.until(() -> stranger.transport.isJoined() && keyless.transport.isJoined());

        stranger.transport.send(a.id(), new Heartbeat(1, 1));
        awaitHint(a, b);
        assertThat(a.others()).containsExactly(b.id());
        assertThat(stranger.others()).isEmpty();
        assertThat(keyless.others()).isEmpty();
        assertThat(a.hints).doesNotContain(new Heartbeat(1, 1));
    }

    /** Sends malformed bytes with and without the greeting of a JGroups connection. */
    @Test
    void malformedBytesDoNotAffectMembers() throws Exception {
        Member a = join(Map.of());
        Member b = join(Map.of());
        awaitMembers(a, b);
        Random random = new Random(1);
        byte[] garbage = new byte[70_000];
        random.nextBytes(garbage);
        for (byte[] bytes : List.of(garbage, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8),
                greeting(Integer.MAX_VALUE, garbage), greeting(-77, garbage), greeting(SealedTcp.FRAME_MAX, garbage),
                greeting(garbage.length, garbage), greeting(3, garbage))) {
            sendToPort(a, bytes);
        }
        Await.until(() -> a.transport.traffic().counts().refused() >= 4);

        awaitHint(b, a);
        awaitHint(a, b);
        assertThat(a.others()).containsExactly(b.id());
        assertThat(a.transport.traffic().counts().malformed()).isZero();
    }

    @Test
    void malformedHintsAndHintsOfOtherVersionsAreCountedAndIgnored() throws Exception {
        Member a = join(Map.of());
        Member b = join(Map.of());
        awaitMembers(a, b);
        byte[] hint = HintCodec.encode(new Heartbeat(1, 1));
        byte[] ofOtherVersion = hint.clone();
        ofOtherVersion[0]++;
        byte[] malformed = Arrays.copyOf(hint, hint.length - 1);
        long before = a.hints.size();
        Await.until(() -> {
            sendRaw(b, a, ofOtherVersion);
            sendRaw(b, a, malformed);
            return a.transport.traffic().counts().ofOtherVersion() > 0
                    && a.transport.traffic().counts().malformed() > 0;
        });

        assertThat(a.hints).hasSize((int) before);
        awaitHint(b, a);
    }

    @Test
    void membersDiscoverEachOtherAgainAfterACut() throws Exception {
        Member a = join(Map.of("QUEEN_SYNC_DEAD_THRESHOLD_MS", "700"));
        Member b = join(Map.of("QUEEN_SYNC_DEAD_THRESHOLD_MS", "700"));
        awaitMembers(a, b);
        awaitHint(a, b);
        cut(a);
        cut(b);
        Await.until(() -> a.others().isEmpty() && b.others().isEmpty());

        heal(a);
        heal(b);

        awaitMembers(a, b);
        awaitHint(a, b);
        awaitHint(b, a);
    }

    @Test
    void anUnreachableMemberDelaysNoOther() {
        Member a = join(Map.of());
        Member b = join(Map.of());
        awaitMembers(a, b);
        UUID unreachable = UUID.randomUUID();
        for (int i = 0; i < 100_000; i++) {
            a.transport.send(unreachable, new Heartbeat(i, i));
        }

        awaitHint(a, b);
        Await.until(() -> a.transport.traffic().counts().dropped() > 0);
    }

    private static void cut(Member member) throws Exception {
        member.transport.channel().getProtocolStack().insertProtocol(new DISCARD().discardAll(true),
                ProtocolStack.Position.ABOVE, TP.class);
    }

    private static void heal(Member member) {
        member.transport.channel().getProtocolStack().removeProtocol(DISCARD.class);
    }

    private static void sendRaw(Member from, Member to, byte[] bytes) {
        from.transport.tcp().sendHint(to.transport.channel().getAddress(), () -> bytes);
    }

    /** Returns the greeting of a JGroups connection, followed by a length and bytes. */
    private static byte[] greeting(int length, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(new byte[]{'b', 'e', 'l', 'a'});
            out.writeShort(Version.version);
            out.writeShort(7);
            out.writeByte(4);
            out.write(new byte[]{127, 0, 0, 1});
            out.writeShort(Math.abs(length % 10_000) + 1);
            out.writeInt(length);
            out.write(content, 0, Math.min(content.length, Math.max(length, 64)));
        }
        return bytes.toByteArray();
    }

    private static void sendToPort(Member member, byte[] bytes) {
        String address = member.transport.address();
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            socket.setSoTimeout((int) Await.PATIENCE.toMillis());
            // Write until the other side closes the connection.
            while (socket.getInputStream().read() >= 0) {
                continue;
            }
        } catch (IOException _) {
            // The other side has closed the connection.
        }
    }

    private static int rows() {
        return addresses().size();
    }

    private static List<String> addresses() {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select ip from queen.cluster_member")) {
            List<String> addresses = new ArrayList<>();
            while (rows.next()) {
                addresses.add(rows.getString(1));
            }
            return addresses;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Member join(Map<String, String> settings) {
        Member member = new Member(settings);
        members.add(member);
        return member;
    }

    private static void awaitMembers(Member... group) {
        for (Member member : group) {
            Set<UUID> others = new HashSet<>();
            for (Member other : group) {
                others.add(other.id());
            }
            others.remove(member.id());
            Await.until(() -> member.others().equals(others));
        }
    }

    /** Sends a hint repeatedly until it is received, because hints may be lost. */
    private static void awaitHint(Member from, Member to) {
        Hint hint = new Heartbeat(System.nanoTime(), 0);
        Await.until(() -> {
            from.transport.send(to.id(), hint);
            return to.hints.contains(hint);
        });
    }

    private static final class Member implements Transport.Listener {
        private final ServerIdentity identity = ServerIdentity.of("here", 0, null, "1.0", Clock.SYSTEM);
        private final List<Hint> hints = new CopyOnWriteArrayList<>();
        private final GroupTransport transport;
        private volatile Set<UUID> others = Set.of();

        Member(Map<String, String> settings) {
            Map<String, String> variables = new HashMap<>(Map.of("PG_HOST", database.host(), "PG_PORT",
                    Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", database.user(),
                    "PG_PASSWORD", database.password(), "DB_CONNECTION_TIMEOUT", "60000", "QUEEN_SYNC_PORT", "0"));
            variables.putAll(settings);
            ServerConfig config = ConfigReader.read(variables);
            transport = new GroupTransport(identity, config.cluster(), config.storage().database());
            transport.listen(this);
            transport.start();
            Await.until(transport::isJoined);
        }

        UUID id() {
            return identity.id();
        }

        Set<UUID> others() {
            return others;
        }

        @Override
        public void members(Set<UUID> now) {
            others = now;
        }

        @Override
        public void received(UUID from, Hint hint) {
            hints.add(hint);
        }

        void close() {
            transport.close();
        }
    }
}
