package io.queenmq.engine.cluster;

import java.util.Set;
import java.util.UUID;

/** What carries hints between servers, and says which servers there are. The engine loop sends; any thread may be told. */
public interface Transport {
    /** For a server that stands alone. */
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
        public String address() {
            return null;
        }

        @Override
        public Traffic traffic() {
            return traffic;
        }
    };

    /** Who is told what comes in; called before anything can come. */
    void listen(Listener listener);

    /** Hands the hint over and returns at once. One that there is no room for, or that nobody takes, is dropped. */
    void send(UUID member, Hint hint);

    /** Whether this server is a member of the group, though maybe the only one. */
    boolean isJoined();

    /** Where other servers reach this one; null as long as they cannot. */
    String address();

    Traffic traffic();

    /** Hears of members and their hints, on threads of the transport. */
    interface Listener {
        /** These are the other members now. */
        void members(Set<UUID> others);

        void heard(UUID from, Hint hint);
    }
}
