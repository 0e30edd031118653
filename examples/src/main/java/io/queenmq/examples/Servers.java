package io.queenmq.examples;

/** The URL of the server of the examples. */
final class Servers {
    private Servers() {}

    static String url(String[] args) {
        return args.length == 0 ? "http://localhost:6632" : args[0];
    }
}
