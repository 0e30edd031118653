package io.queenmq.bench;

import java.util.List;

/** A measured workload. */
record Scenario(String name, String title, Load load) {
    /** The scenarios in full size. */
    static final List<Scenario> ALL = List.of(new Scenario("a", "push 1 a request", new Load.Push(1_000, 1, 50)),
            new Scenario("b", "push 10 a request", new Load.Push(1_000, 10, 50)),
            new Scenario("c", "push 100 a request", new Load.Push(1_000, 100, 20)),
            new Scenario("d", "pop 100, then ack", new Load.Drain(1_000, 1_000, 100, 50, true, false)),
            new Scenario("e", "pop 100, autoAck", new Load.Drain(1_000, 1_000, 100, 50, false, false)),
            new Scenario("f", "pop 1 of its partition, autoAck", new Load.Drain(500, 100, 1, 500, false, true)),
            new Scenario("g2", "push to waiting pop, 200/s", new Load.Delivery(1, 16, 200)),
            new Scenario("h", "sparse: 100 queues", new Load.Delivery(100, 32, 0)));

    /** The scenarios in minimal size, to test that they work. */
    static final List<Scenario> QUICK = List.of(new Scenario("a", "push 1 a request", new Load.Push(20, 1, 4)),
            new Scenario("b", "push 10 a request", new Load.Push(20, 10, 4)),
            new Scenario("c", "push 100 a request", new Load.Push(20, 100, 2)),
            new Scenario("d", "pop 100, then ack", new Load.Drain(20, 200, 100, 4, true, false)),
            new Scenario("e", "pop 100, autoAck", new Load.Drain(20, 200, 100, 4, false, false)),
            new Scenario("f", "pop 1 of its partition, autoAck", new Load.Drain(10, 20, 1, 10, false, true)),
            new Scenario("g2", "push to waiting pop, 200/s", new Load.Delivery(1, 4, 200)),
            new Scenario("h", "sparse: 5 queues", new Load.Delivery(5, 4, 0)));

    static List<String> names() {
        return ALL.stream().map(Scenario::name).toList();
    }
}
