package io.queenmq.server.cluster.group;

import io.queenmq.server.cluster.Traffic;
import java.io.DataInput;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.protocols.TCP;
import org.jgroups.util.Util;

/**
 * TCP as JGroups knows it, with three differences. Everything is sealed, and what comes in is opened before JGroups reads it,
 * because what JGroups reads says how much memory to take. Each address has a bounded outbox with a thread of its own, so that
 * one that takes nothing delays nobody; what does not fit is dropped, and what JGroups cannot miss it sends again. And there
 * are only so many connections.
 */
final class SealedTcp extends TCP {
    /** Larger than every hint, and than what JGroups itself says. */
    static final int FRAME_MAX = 262_144;
    /** The same number on all servers; JGroups knows its own transports by others. */
    private static final short PROTOCOL_ID = 1_633;
    private static final int CONNECTIONS_MAX = 128;
    private static final int OUTBOX_FRAMES = 512;
    private static final int STREAM_BUFFER_BYTES = 8_192;
    private static final long IDLE_SECONDS = 10;

    private final Seal seal;
    private final Traffic traffic;
    private final ConcurrentHashMap<PhysicalAddress, Outbox> outboxes = new ConcurrentHashMap<>();

    SealedTcp(Seal seal, Traffic traffic) {
        this.seal = seal;
        this.traffic = traffic;
        setId(PROTOCOL_ID);
        tcpNodelay(true);
        enableSuspectEvents(true);
        logDetails(false);
        setConnExpireTime(60_000);
        setReaperInterval(30_000);
        setBufferedInputStreamSize(STREAM_BUFFER_BYTES);
        setBufferedOutputStreamSize(STREAM_BUFFER_BYTES);
        setBundlerType("no-bundler");
        useVirtualThreads(true);
    }

    @Override
    public void sendUnicast(PhysicalAddress address, byte[] data, int offset, int length) {
        byte[] frame = Arrays.copyOfRange(data, offset, offset + length);
        outboxes.compute(address, (_, present) -> {
            Outbox outbox = present == null ? new Outbox(address) : present;
            if (!outbox.frames.offer(frame)) {
                traffic.countDropped(1);
            }
            return outbox;
        });
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (length < Seal.OVERHEAD || length > FRAME_MAX) {
            traffic.countRefused();
            throw new IOException("a frame of " + length + " bytes");
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        byte[] content = open(frame);
        if (content == null) {
            traffic.countRepeated();
        } else {
            receive(sender, content, 0, content.length);
        }
    }

    /** Whoever sends what no member has sealed is no member: his connection is closed. */
    private byte[] open(byte[] frame) throws IOException {
        try {
            return seal.open(frame);
        } catch (GeneralSecurityException _) {
            traffic.countRefused();
            throw new IOException("a frame that no member has sealed");
        }
    }

    @Override
    public void connectionEstablished(Connection connection) {
        if (getOpenConnections() >= CONNECTIONS_MAX) {
            traffic.countRefused();
            Util.close(connection);
        }
    }

    @Override
    public void stop() {
        super.stop();
        outboxes.values().forEach(outbox -> outbox.thread.interrupt());
    }

    /** What waits for being sent to one address. */
    private final class Outbox {
        private final PhysicalAddress address;
        private final BlockingQueue<byte[]> frames = new ArrayBlockingQueue<>(OUTBOX_FRAMES);
        private final Thread thread;

        Outbox(PhysicalAddress address) {
            this.address = address;
            this.thread = Thread.ofVirtual().name("queen-cluster-outbox").start(this::run);
        }

        private void run() {
            try {
                do {
                    for (byte[] frame = next(); frame != null; frame = next()) {
                        send(frame);
                    }
                } while (outboxes.computeIfPresent(address, (_, _) -> frames.isEmpty() ? null : this) != null);
            } catch (InterruptedException _) {
                outboxes.remove(address, this);
            }
        }

        private byte[] next() throws InterruptedException {
            return frames.poll(IDLE_SECONDS, TimeUnit.SECONDS);
        }

        /** Sealed only now, so that what one member gets is numbered in the order it gets it. */
        private void send(byte[] frame) {
            byte[] sealed = seal.close(frame);
            try {
                srv.send(address, sealed, 0, sealed.length);
            } catch (Exception _) {
                // Nobody is there: whatever else waits for this address would only wait longer.
                traffic.countDropped(1 + frames.size());
                frames.clear();
            }
        }
    }
}
