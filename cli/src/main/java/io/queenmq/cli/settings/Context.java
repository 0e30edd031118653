package io.queenmq.cli.settings;

/**
 * A server the user has a name for.
 *
 * @param url one, or several separated by commas
 * @param token null for none
 */
public record Context(String name, String url, String token, TlsOptions tls) {}
