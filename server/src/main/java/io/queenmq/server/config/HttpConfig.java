package io.queenmq.server.config;

/**
 * How the server is reached.
 *
 * @param port the port to listen on; 0 picks a free one
 * @param loops how many event loops share the requests
 * @param bodyBytesMax the largest request body
 * @param tls null for plain HTTP
 */
public record HttpConfig(String host, int port, int loops, int bodyBytesMax, TlsConfig tls) {}
