/** The codec of the Queen client for Jackson 2. */
module io.queenmq.client.jackson {
    requires transitive io.queenmq.client;
    requires transitive com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.datatype.jdk8;
    requires com.fasterxml.jackson.datatype.jsr310;
    requires static org.jspecify;

    exports io.queenmq.client.jackson;

    provides io.queenmq.client.Codec with io.queenmq.client.jackson.JacksonCodec;
}
