package io.queenmq.engine.cluster;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Carries hints between servers, and reports the members. The engine loop sends; the listener may be called on any thread. */
public interface Transport {
    /** The transport of a server without peers. */
    Transport NONE = new Transport() {
        private final Traffic traffic = new Traffic();

        @Override
        public void listen(Listener listener) {}

        @Override
        public void send(UUID member, Hint hint) {}

        @Override
        public boolean isJoined() {
            return false;
        }

        @Override
        public @Nullable String address() {
            return null;
        }

        @Override
        public Traffic traffic() {
            return traffic;
        }
    };

    /** Sets the listener. Must be called before the first hint can arrive. */
    void listen(Listener listener);

    /** Enqueues the hint and returns at once. Drops it if the send queue is full or the member has left. */
    void send(UUID member, Hint hint);

    /** Returns true if this server is a member of the group, possibly the only one. */
    boolean isJoined();

    /** Returns the address of this server for peers; null while it has none. */
    @Nullable
    String address();

    Traffic traffic();

    /** Receives members and hints, on threads of the transport. */
    interface Listener {
        /** Called with all other members after each change. */
        void members(Set<UUID> others);

        void received(UUID from, Hint hint);
    }
}
