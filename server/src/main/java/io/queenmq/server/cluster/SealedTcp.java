package io.queenmq.server.cluster;

import io.queenmq.engine.cluster.Traffic;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.protocols.TCP;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * The TCP protocol of JGroups with four differences:
 * <ul>
 * <li>Every frame is sealed. A received frame is opened before JGroups reads it, because JGroups allocates memory according to
 * its content.
 * <li>Each address has a bounded outbox with its own thread, so that a receiver that does not read delays no other receiver.
 * Frames that do not fit are dropped; JGroups retransmits its own messages.
 * <li>Hints are sent directly from the outbox to the receiver and bypass the protocols of JGroups.
 * <li>The number of connections is limited.
 * </ul>
 */
final class SealedTcp extends TCP {
    /** Larger than every hint and every message of JGroups. */
    static final int FRAME_MAX = 262_144;
    /** Must be equal on all servers and differ from the ids of the transports of JGroups. */
    private static final short PROTOCOL_ID = 1_633;
    private static final int CONNECTIONS_MAX = 128;
    private static final int OUTBOX_FRAMES = 512;
    private static final int STREAM_BUFFER_BYTES = 8_192;

    /** The first byte of the content of a frame. */
    private static final byte OF_JGROUPS = 0;
    private static final byte HINT = 1;
    private static final int HINT_HEADER_BYTES = 1 + 2 * Long.BYTES;

    /** Receives hints of members, on the thread that reads the connection. */
    interface HintListener {
        void onHint(UUID from, byte[] hint);
    }

    private final UUID self;
    private final Seal seal;
    private final Traffic traffic;
    private final HintListener listener;
    private final ConcurrentHashMap<PhysicalAddress, Outbox> outboxes = new ConcurrentHashMap<>();

    SealedTcp(UUID self, Seal seal, Traffic traffic, HintListener listener) {
        this.self = self;
        this.seal = seal;
        this.traffic = traffic;
        this.listener = listener;
        setId(PROTOCOL_ID);
        tcpNodelay(true);
        enableSuspectEvents(true);
        logDetails(false);
        setConnExpireTime(60_000);
        setReaperInterval(30_000);
        setBufferedInputStreamSize(STREAM_BUFFER_BYTES);
        setBufferedOutputStreamSize(STREAM_BUFFER_BYTES);
        setBundlerType("no-bundler");
        // A virtual thread that reads is woken by another thread, which costs a millisecond or more on a busy machine.
        useVirtualThreads(false);
    }

    /**
     * Enqueues a hint for a member. Never blocks.
     *
     * @param hint encodes the hint, later and on another thread
     */
    void sendHint(Address member, Supplier<byte[]> hint) {
        PhysicalAddress address = getPhysicalAddressFromCache(member);
        if (address == null) {
            traffic.countDropped(1);
            return;
        }
        offer(address, new Frame(() -> {
            byte[] bytes = hint.get();
            return ByteBuffer.allocate(HINT_HEADER_BYTES + bytes.length).put(HINT)
                    .putLong(self.getMostSignificantBits()).putLong(self.getLeastSignificantBits()).put(bytes).array();
        }, true));
    }

    @Override
    public void sendUnicast(PhysicalAddress address, byte[] data, int offset, int length) {
        byte[] content = ByteBuffer.allocate(1 + length).put(OF_JGROUPS).put(data, offset, length).array();
        offer(address, new Frame(() -> content, false));
    }

    private void offer(PhysicalAddress address, Frame frame) {
        outboxes.compute(address, (_, present) -> {
            Outbox outbox = present == null ? new Outbox(address) : present;
            if (!outbox.frames.offer(frame)) {
                countDropped(frame);
            }
            return outbox;
        });
    }

    /** Counts a dropped hint. Messages of JGroups are not counted, because JGroups retransmits them. */
    private void countDropped(Frame frame) {
        if (frame.isHint) {
            traffic.countDropped(1);
        }
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (length <= Seal.OVERHEAD || length > FRAME_MAX) {
            traffic.countRefused();
            throw new IOException("frame rejected: its length is " + length + " bytes");
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        byte[] content = open(frame);
        if (content == null) {
            traffic.countRepeated();
        } else if (content[0] == OF_JGROUPS) {
            receive(sender, Arrays.copyOfRange(content, 1, content.length), 0, content.length - 1);
        } else if (content[0] == HINT && content.length >= HINT_HEADER_BYTES) {
            ByteBuffer header = ByteBuffer.wrap(content, 1, HINT_HEADER_BYTES - 1);
            listener.onHint(new UUID(header.getLong(), header.getLong()),
                    Arrays.copyOfRange(content, HINT_HEADER_BYTES, content.length));
        }
    }

    /** Opens a frame. The exception closes the connection, because its sender is not a member. */
    private byte @Nullable [] open(byte[] frame) throws IOException {
        try {
            return seal.open(frame);
        } catch (GeneralSecurityException _) {
            traffic.countRefused();
            throw new IOException("frame rejected: it was not sealed by a member");
        }
    }

    @Override
    public void connectionEstablished(Connection connection) {
        if (getOpenConnections() >= CONNECTIONS_MAX) {
            traffic.countRefused();
            Util.close(connection);
        }
    }

    /** Ends the outboxes of addresses without a member, whose threads would otherwise wait without end. */
    @Override
    public void retainAll(Collection<Address> addresses) {
        super.retainAll(addresses);
        outboxes.forEach((address, outbox) -> {
            if (!addresses.contains(address)) {
                outbox.end();
            }
        });
    }

    @Override
    public void stop() {
        super.stop();
        outboxes.values().forEach(Outbox::end);
    }

    /** A frame to be sealed and sent. */
    private record Frame(Supplier<byte[]> content, boolean isHint) {}

    /** The queue of frames for one address. */
    private final class Outbox {
        private final PhysicalAddress address;
        private final BlockingQueue<Frame> frames = new ArrayBlockingQueue<>(OUTBOX_FRAMES);
        private final Thread thread;

        Outbox(PhysicalAddress address) {
            this.address = address;
            this.thread = Thread.ofPlatform().daemon().name("queen-cluster-outbox").start(this::run);
        }

        /** Removes and stops this outbox. The next frame for the address creates another outbox. */
        void end() {
            outboxes.remove(address, this);
            thread.interrupt();
        }

        private void run() {
            try {
                while (send(frames.take())) {
                    continue;
                }
                // The address is unreachable. The other frames for it would only wait longer.
                outboxes.remove(address, this);
                frames.forEach(SealedTcp.this::countDropped);
            } catch (InterruptedException _) {
                // The outbox was ended.
            }
        }

        /** Seals and sends a frame. Sealing here ensures that a member receives the frames in the order of their numbers. */
        private boolean send(Frame frame) {
            byte[] sealed = seal.close(frame.content.get());
            try {
                srv.send(address, sealed, 0, sealed.length);
            } catch (Exception _) {
                countDropped(frame);
                return false;
            }
            if (frame.isHint) {
                traffic.countSent();
            }
            return true;
        }
    }
}
