package io.queenmq.spring;

import java.util.List;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The servers of the application. A bean of this type replaces the property {@code queen.urls}. {@code @QueenTest} of
 * queen-test provides one, and tests with containers may do so, too.
 */
@FunctionalInterface
public interface QueenConnectionDetails extends ConnectionDetails {
    /** Returns the URLs of the servers; if one fails, the next is used. */
    List<String> urls();
}
