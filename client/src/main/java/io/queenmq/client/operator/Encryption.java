package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that encrypt stored messages, as last counted by the servers.
 *
 * @param countedAt null before the first count
 * @param isBinding true if messages are bound to their position
 * @param keys all keys that a server has or a message needs
 * @param queues the queues that are or were encrypted
 */
public record Encryption(@Nullable Instant countedAt, boolean isBinding, List<Key> keys, List<Queue> queues) {
    public Encryption {
        keys = List.copyOf(keys);
        queues = List.copyOf(queues);
    }

    static Encryption read(JsonNode response) {
        return new Encryption(response.get("countedAt").instant(), response.get("isBinding").bool(),
                response.get("keys").list().stream().map(Key::read).toList(),
                response.get("queues").list().stream().map(Queue::read).toList());
    }

    /**
     * A key of the servers.
     *
     * @param keyId null for clear text
     * @param isCurrent true if a server encrypts with it
     * @param servers the number of servers that have it
     */
    public record Key(@Nullable String keyId, boolean isCurrent, int servers, Share share) {
        static Key read(JsonNode node) {
            return new Key(node.get("keyId").text(), node.get("isCurrent").bool(), (int) node.get("servers").number(),
                    Share.read(node));
        }
    }

    /**
     * A queue that is or was encrypted.
     *
     * @param unchecked messages whose key is not known yet
     */
    public record Queue(String name, boolean isEncrypted, long unchecked, List<Share> shares) {
        public Queue {
            shares = List.copyOf(shares);
        }

        static Queue read(JsonNode node) {
            return new Queue(node.get("queue").string(), node.get("encryptionEnabled").bool(),
                    node.get("unchecked").number(), node.get("keys").list().stream().map(Share::read).toList());
        }
    }

    /**
     * The data encrypted with one key.
     *
     * @param keyId null for clear text
     * @param unbound messages that are not bound to their offsets
     * @param deadLetters dead letters, if the key is not the current one
     * @param streamStates values of stream queries, if the key is not the current one
     */
    public record Share(@Nullable String keyId, long messages, long bytes, long unbound, long deadLetters,
            long streamStates) {
        static Share read(JsonNode node) {
            return new Share(node.get("keyId").text(), node.get("messages").number(), node.get("bytes").number(),
                    node.get("unbound").number(), node.get("deadLetters").number(), node.get("streamStates").number());
        }
    }
}
