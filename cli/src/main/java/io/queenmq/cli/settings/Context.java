package io.queenmq.cli.settings;

import org.jspecify.annotations.Nullable;
/**
 * A named server with its token and TLS files.
 *
 * @param url one URL, or several separated by commas
 * @param token null if the context has none
 */
public record Context(String name, String url, @Nullable String token, TlsOptions tls) {}
