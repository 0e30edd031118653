package io.queenmq.engine.push;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.MessagePosition;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.queue.Queue;
import java.util.Arrays;

/**
 * Encrypts messages if the catalog has encryption enabled for their queue at the time of storing. The call that stores them has
 * the {@link #epoch} of that catalog as an argument, and PostgreSQL rejects the call if there is a newer one. Owned by the engine
 * loop.
 */
public final class PayloadEncryption {
    private final Catalog catalog;
    private final PayloadCipher cipher;

    public PayloadEncryption(Catalog catalog, PayloadCipher cipher) {
        this.catalog = catalog;
        this.cipher = cipher;
    }

    public long epoch() {
        return catalog.encryptionEpoch();
    }

    /**
     * Returns true if the queue of a partition was deleted, according to the catalog of {@link #epoch}. Its partitions are
     * removed later, so messages must not be stored in them.
     */
    public boolean isDeleted(PushPartition partition) {
        Queue known = catalog.find(partition.queue().name());
        return known == null || !known.id().equals(partition.queue().id());
    }

    /** Returns true if messages of the partition are stored encrypted. */
    public boolean isRequiredFor(PushPartition partition) {
        Queue known = catalog.find(partition.queue().name());
        // Nothing is stored in a partition of a deleted queue, so its options do not matter.
        return (known == null ? partition.queue() : known).options().encryptionEnabled();
    }

    /**
     * Encrypts a message.
     *
     * @param offset the offset at which it is stored, if it is; negative if unknown
     * @throws CipherException if it cannot be encrypted; the message must not be stored then
     */
    public PushItem encrypt(PushItem item, PushPartition partition, long offset) {
        byte[] line = item.line();
        // Messages are bound to their partition and offset only if all servers can decrypt such messages.
        MessagePosition place = catalog.isBinding() ? new MessagePosition(partition.id(), offset) : null;
        if (!PayloadCipher.isEncrypted(line, 0, line.length - 1)) {
            return item.withLine(cipher.encrypt(line, place));
        }
        return place == null ? item : bound(item, place);
    }

    /** Binds a message from the spool, which was encrypted before its partition and offset were known. */
    private PushItem bound(PushItem item, MessagePosition place) {
        byte[] line = item.line();
        try {
            byte[] clear = cipher.decrypt(line, 0, line.length - 1, null);
            byte[] ended = Arrays.copyOf(clear, clear.length + 1);
            ended[clear.length] = '\n';
            return item.withLine(cipher.encrypt(ended, place));
        } catch (CipherException _) {
            // This server no longer has the key. Another server may have it, so the message is stored unchanged.
            return item;
        }
    }
}
