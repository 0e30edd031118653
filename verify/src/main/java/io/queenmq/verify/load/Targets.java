package io.queenmq.verify.load;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the servers under test.
 *
 * @param token sent as a bearer token; null for none
 * @param database opens connections of a user to PostgreSQL; null if its address is unknown
 */
public record Targets(List<URI> servers, @Nullable String token, @Nullable Database database) {
    /** Opens connections to PostgreSQL. */
    public interface Database {
        Connection connect() throws SQLException;
    }
}
