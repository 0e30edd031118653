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

/**
 * TCP as JGroups knows it, with four differences. Everything is sealed, and what comes in is opened before JGroups reads it,
 * because what JGroups reads says how much memory to take. Each address has a bounded outbox with a thread of its own, so that
 * one that takes nothing delays nobody; what does not fit is dropped, and what JGroups cannot miss it sends again. Hints go
 * straight from the sender's outbox to the receiver, past everything that JGroups does with its own messages. And there are
 * only so many connections.
 */
final class SealedTcp extends TCP {
    /** Larger than every hint, and than what JGroups itself says. */
    static final int FRAME_MAX = 262_144;
    /** The same number on all servers; JGroups knows its own transports by others. */
    private static final short PROTOCOL_ID = 1_633;
    private static final int CONNECTIONS_MAX = 128;
    private static final int OUTBOX_FRAMES = 512;
    private static final int STREAM_BUFFER_BYTES = 8_192;

    /** The first byte of what is sealed. */
    private static final byte OF_JGROUPS = 0;
    private static final byte HINT = 1;
    private static final int HINT_HEADER_BYTES = 1 + 2 * Long.BYTES;

    /** Takes hints of members, on the thread that reads them. */
    interface HintListener {
        void heard(UUID from, byte[] hint);
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
        // A virtual thread that reads is woken by another one, which costs a millisecond or more on a busy machine.
        useVirtualThreads(false);
    }

    /**
     * Never waits.
     *
     * @param hint makes the bytes, later and on another thread
     */
    void sendHint(Address member, Supplier<byte[]> hint) {
        PhysicalAddress address = getPhysicalAddressFromCache(member);
        if (address == null) {
            traffic.countDropped(1);
            return;
        }
        offer(address, new Letter(() -> {
            byte[] bytes = hint.get();
            return ByteBuffer.allocate(HINT_HEADER_BYTES + bytes.length).put(HINT)
                    .putLong(self.getMostSignificantBits()).putLong(self.getLeastSignificantBits()).put(bytes).array();
        }, true));
    }

    @Override
    public void sendUnicast(PhysicalAddress address, byte[] data, int offset, int length) {
        byte[] content = ByteBuffer.allocate(1 + length).put(OF_JGROUPS).put(data, offset, length).array();
        offer(address, new Letter(() -> content, false));
    }

    private void offer(PhysicalAddress address, Letter letter) {
        outboxes.compute(address, (_, present) -> {
            Outbox outbox = present == null ? new Outbox(address) : present;
            if (!outbox.letters.offer(letter)) {
                countDropped(letter);
            }
            return outbox;
        });
    }

    /** What JGroups says itself it sends again. */
    private void countDropped(Letter letter) {
        if (letter.isHint) {
            traffic.countDropped(1);
        }
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (length <= Seal.OVERHEAD || length > FRAME_MAX) {
            traffic.countRefused();
            throw new IOException("a frame of " + length + " bytes");
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
            listener.heard(new UUID(header.getLong(), header.getLong()),
                    Arrays.copyOfRange(content, HINT_HEADER_BYTES, content.length));
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

    /** Outboxes of those who are gone would wait for ever. */
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

    /** Something to be sealed and sent. */
    private record Letter(Supplier<byte[]> content, boolean isHint) {}

    /** What waits for being sent to one address. */
    private final class Outbox {
        private final PhysicalAddress address;
        private final BlockingQueue<Letter> letters = new ArrayBlockingQueue<>(OUTBOX_FRAMES);
        private final Thread thread;

        Outbox(PhysicalAddress address) {
            this.address = address;
            this.thread = Thread.ofPlatform().daemon().name("queen-cluster-outbox").start(this::run);
        }

        /** From now on there is another outbox for this address, if any. */
        void end() {
            outboxes.remove(address, this);
            thread.interrupt();
        }

        private void run() {
            try {
                while (send(letters.take())) {
                    continue;
                }
                // Nobody is there: whatever else waits for this address would only wait longer.
                outboxes.remove(address, this);
                letters.forEach(SealedTcp.this::countDropped);
            } catch (InterruptedException _) {
                // The end.
            }
        }

        /** Sealed only now, so that what one member gets is numbered in the order it gets it. */
        private boolean send(Letter letter) {
            byte[] sealed = seal.close(letter.content.get());
            try {
                srv.send(address, sealed, 0, sealed.length);
            } catch (Exception _) {
                countDropped(letter);
                return false;
            }
            if (letter.isHint) {
                traffic.countSent();
            }
            return true;
        }
    }
}
