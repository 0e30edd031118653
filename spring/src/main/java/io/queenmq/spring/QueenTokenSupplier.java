package io.queenmq.spring;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bean of this type supplies the bearer token of each request, for tokens that expire. It replaces
 * {@code queen.token}. It is called before each request, so it should cache the token.
 */
@FunctionalInterface
public interface QueenTokenSupplier extends Supplier<@Nullable String> {}
