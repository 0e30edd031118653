/** The Queen client. Depends only on the JDK and SLF4J. */
module io.queenmq.client {
    requires java.net.http;
    requires transitive java.sql;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.queenmq.client;
    exports io.queenmq.client.error;
    exports io.queenmq.client.operator;

    uses io.queenmq.client.Codec;
}
