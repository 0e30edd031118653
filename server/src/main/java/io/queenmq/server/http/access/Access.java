package io.queenmq.server.http.access;

import io.queenmq.server.auth.Role;
import java.util.Locale;

/** The access levels of routes. Each level includes the levels before it. */
public enum Access {
    PUBLIC(Role.NONE),
    READ_ONLY(Role.READ_ONLY),
    READ_WRITE(Role.READ_WRITE),
    ADMIN(Role.ADMIN);

    private final Role least;

    Access(Role least) {
        this.least = least;
    }

    boolean isOpenTo(Role role) {
        return role.compareTo(least) >= 0;
    }

    public String inWords() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
