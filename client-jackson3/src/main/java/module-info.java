/** The codec of the Queen client for Jackson 3. */
@SuppressWarnings("module") // the digit is part of the product name
module io.queenmq.client.jackson3 {
    requires transitive io.queenmq.client;
    requires transitive tools.jackson.databind;
    requires static org.jspecify;

    exports io.queenmq.client.jackson3;

    provides io.queenmq.client.Codec with io.queenmq.client.jackson3.Jackson3Codec;
}
