package io.queenmq.verify.load;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the servers under test.
 *
 * @param token sent as a bearer token; null for none
 */
public record Targets(List<URI> servers, @Nullable String token) {}
