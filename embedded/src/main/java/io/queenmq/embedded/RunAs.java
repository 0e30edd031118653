package io.queenmq.embedded;

import java.util.ArrayList;
import java.util.List;

/** Under which identity PostgreSQL's programs run. They refuse to run as root. */
sealed interface RunAs {
    /** The command with what must stand before it. Each wrapper replaces itself, so the process id stays the same. */
    default List<String> wrap(List<String> command) {
        var wrapped = new ArrayList<>(prefix());
        wrapped.addAll(command);
        return List.copyOf(wrapped);
    }

    List<String> prefix();

    /** As whoever runs this process. */
    record Self() implements RunAs {
        @Override
        public List<String> prefix() {
            return List.of();
        }

        @Override
        public String toString() {
            return "this user";
        }
    }

    /** As another user, to whom the data directory belongs. */
    record OtherUser(int uid, int gid) implements RunAs {
        @Override
        public List<String> prefix() {
            return List.of("setpriv", "--reuid", "" + uid, "--regid", "" + gid, "--clear-groups");
        }

        @Override
        public String toString() {
            return "user id " + uid;
        }
    }

    /**
     * As root, but in a user namespace that maps no user: PostgreSQL sees the user id 65534 and is content, while the
     * kernel still lets it use root's files. For directories that no other user can reach.
     */
    record UserNamespace() implements RunAs {
        @Override
        public List<String> prefix() {
            return List.of("unshare", "--user");
        }

        @Override
        public String toString() {
            return "root in a user namespace";
        }
    }
}
