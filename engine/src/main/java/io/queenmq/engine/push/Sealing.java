package io.queenmq.engine.push;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.MessagePlace;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.queue.Queue;
import java.util.Arrays;

/**
 * Whether what goes into a partition is stored encrypted: as the catalog says it at the moment of storing. The call that
 * stores it carries the {@link #epoch} of that catalog, and PostgreSQL refuses it when there is a newer one.
 * Owned by the engine loop.
 */
public final class Sealing implements PushPartition.Seal {
    private final Catalog catalog;
    private final PayloadCipher cipher;

    public Sealing(Catalog catalog, PayloadCipher cipher) {
        this.catalog = catalog;
        this.cipher = cipher;
    }

    public long epoch() {
        return catalog.encryptionEpoch();
    }

    /**
     * Whether the queue of a partition was deleted, as far as the catalog of {@link #epoch} knows. Its partitions are removed
     * later, so nothing may be stored in them.
     */
    public boolean isDeleted(PushPartition partition) {
        Queue known = catalog.find(partition.queue().name());
        return known == null || !known.id().equals(partition.queue().id());
    }

    @Override
    public boolean isRequiredFor(PushPartition partition) {
        Queue known = catalog.find(partition.queue().name());
        // A partition of a queue that was deleted takes nothing any more, whatever would be said of it.
        return (known == null ? partition.queue() : known).options().encryptionEnabled();
    }

    @Override
    public PushItem seal(PushItem item, PushPartition partition, long offset) {
        byte[] line = item.line();
        // The same on every server only when all of them can decrypt it.
        MessagePlace place = catalog.isBinding() ? new MessagePlace(partition.id(), offset) : null;
        if (!PayloadCipher.isEncrypted(line, 0, line.length - 1)) {
            return item.storedAs(cipher.encrypt(line, place));
        }
        return place == null ? item : bound(item, place);
    }

    /** Messages from the spool were encrypted before their place was known. */
    private PushItem bound(PushItem item, MessagePlace place) {
        byte[] line = item.line();
        try {
            byte[] clear = cipher.decrypt(line, 0, line.length - 1, null);
            byte[] ended = Arrays.copyOf(clear, clear.length + 1);
            ended[clear.length] = '\n';
            return item.storedAs(cipher.encrypt(ended, place));
        } catch (CipherException _) {
            // This server has lost the key since. Another one may have it, so the message is stored as it is.
            return item;
        }
    }
}
