package io.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import io.queenmq.client.PopOptions;
import io.queenmq.client.Queen;
import io.queenmq.schema.Schema;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every example does what its text says. */
class ExamplesTest {
    private static TestDatabase database;
    private static Server server;
    private static Queen queen;

    @BeforeAll
    static void start() {
        database = TestPostgres.shared().cloneOf("examples", connection -> Schema.install(connection));
        server = Server.start(ConfigReader.read(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "2", "PG_HOST",
                database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER",
                database.user(), "PG_PASSWORD", database.password())));
        queen = Queen.connect(server.url());
    }

    @AfterAll
    static void stop() {
        queen.close();
        server.close();
        database.close();
    }

    @Test
    void ordersAreBilledInTheOrderOfTheirCustomer() throws Exception {
        String said = run(OrdersAndBilling::main);

        assertThat(said).containsSubsequence("billed customer-42 10", "billed customer-42 20", "billed customer-42 30");
        assertThat(said).contains("stored as ", "billed customer-7 40");
        assertThat(left("orders", "billing")).isEmpty();
    }

    @Test
    void aHandlerDecides() throws Exception {
        String said = run(Deciding::main);

        assertThat(said).containsSubsequence("paid 10", "not yet: 5000", "paid 5000");
        assertThat(left("payments", "bank")).isEmpty();
    }

    @Test
    void ordersBecomeInvoices() throws Exception {
        run(HandOff::main);

        assertThat(left("accepted-orders", "invoicing")).isEmpty();
        assertThat(left("invoices", "reader")).extracting(Json::text).containsExactly("{\"order\":1,\"amount\":10}",
                "{\"order\":2,\"amount\":20}");
    }

    @Test
    void allReadingsAreStoredInOrder() throws Exception {
        run(BufferedProducer::main);

        List<Json> readings = left("readings", "reader");
        assertThat(readings).hasSize(10_000);
        assertThat(readings.getFirst().text()).isEqualTo("0");
        assertThat(readings.getLast().text()).isEqualTo("9999");
    }

    @Test
    void jobsAreDoneByHand() throws Exception {
        assertThat(run(ByHand::main)).containsSubsequence("sweep the floor", "done");
        assertThat(left("jobs", "workers")).isEmpty();
    }

    @Test
    void nothingGoesWrong() throws Exception {
        run(WhatCanGoWrong::main);

        assertThat(left("orders", "auditor")).extracting(Json::text).anyMatch(text -> text.contains("\"number\":5"));
    }

    @Test
    void thePositionIsShown() throws Exception {
        assertThat(run(AtMostOnce::main)).contains("at 52.5N 13.4E");
    }

    /** What the group has not read of the queue. */
    private static List<Json> left(String queue, String group) {
        return queen.queue(queue, Json.class).group(group)
                .popAtMostOnce(PopOptions.DEFAULT.batch(10_000).maxPartitions(100))
                .deliveries().stream().map(Delivery::value).toList();
    }

    private static String run(Example example) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            example.main(new String[]{server.url()});
        } finally {
            System.setOut(console);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    private interface Example {
        void main(String[] args) throws Exception;
    }
}
