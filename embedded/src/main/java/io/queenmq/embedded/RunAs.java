package io.queenmq.embedded;

import java.util.ArrayList;
import java.util.List;

/** The user of PostgreSQL's programs, which do not run as root. */
sealed interface RunAs {
    /** Returns the command with its wrapper. A wrapper replaces itself, so the process id is that of the command. */
    default List<String> wrap(List<String> command) {
        var wrapped = new ArrayList<>(prefix());
        wrapped.addAll(command);
        return List.copyOf(wrapped);
    }

    List<String> prefix();

    /** The user of this process. */
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

    /** Another user, the owner of the data directory. */
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
     * Root in a user namespace that maps no user. PostgreSQL sees the user id 65534, while the kernel permits access to root's
     * files. Used for directories that other users cannot access.
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
