package io.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import io.queenmq.client.PopOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every example has the documented effect. */
@QueenTest
class ExamplesTest {
    private final Queen queen;
    private final TestQueen server;

    ExamplesTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.server = server;
    }

    /** Several examples use these. */
    @BeforeEach
    void deleteQueues() {
        queen.operator().queues().delete("orders");
        queen.operator().queues().delete("invoices");
    }

    @Test
    void anOrderBecomesAnInvoice() throws Exception {
        assertThat(run(FirstSteps::main)).contains("billed customer-42 10");

        assertThat(left("orders", "billing")).isEmpty();
        assertThat(left("invoices", "reader")).extracting(Json::text).containsExactly("{\"order\":1,\"amount\":10}");
    }

    @Test
    void ordersAreBilledInTheOrderOfTheirCustomer() throws Exception {
        String output = run(OrdersAndBilling::main);

        assertThat(output).containsSubsequence("billed customer-42 10", "billed customer-42 20",
                "billed customer-42 30");
        assertThat(output).contains("stored as ", "billed customer-7 40");
        assertThat(left("orders", "billing")).isEmpty();
    }

    @Test
    void aHandlerReturnsOutcomes() throws Exception {
        String output = run(HandlerOutcomes::main);

        assertThat(output).containsSubsequence("paid 10", "not yet: 5000", "paid 5000");
        assertThat(left("payments", "bank")).isEmpty();
    }

    @Test
    void aBatchHasOneOutcomePerMessage() throws Exception {
        run(BatchOutcomes::main);

        assertThat(left("bulk-orders", "accounting")).isEmpty();
        assertThat(queen.operator().deadLetters().list(MessageFilter.any().queue("bulk-orders")).items())
                .singleElement().satisfies(dead -> assertThat(dead.error()).isEqualTo("negative total"));
    }

    @Test
    void aFailureThatCannotSucceedIsNotRetried() throws Exception {
        assertThat(run(RetryRules::main)).contains("dead-lettered Order[number=1").contains("negative total");

        assertThat(queen.operator().deadLetters().list(MessageFilter.any().queue("risky-orders")).items())
                .singleElement().satisfies(dead -> assertThat(dead.error()).contains("negative total"));
    }

    @Test
    void ordersBecomeInvoices() throws Exception {
        run(ExactlyOnce::main);

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
    void jobsArePoppedManually() throws Exception {
        assertThat(run(ManualPop::main)).containsSubsequence("sweep the floor", "done");
        assertThat(left("jobs", "workers")).isEmpty();
    }

    @Test
    void errorsAreHandled() throws Exception {
        run(ErrorHandling::main);

        assertThat(left("orders", "auditor")).extracting(Json::text).anyMatch(text -> text.contains("\"number\":5"));
    }

    @Test
    void thePositionIsShown() throws Exception {
        assertThat(run(AtMostOnce::main)).contains("at 52.5N 13.4E");
    }

    /** Returns the unread messages of the group: one pop reads partitions of one shard. */
    private List<Json> left(String queue, String group) {
        List<Json> values = new ArrayList<>();
        List<Delivery<Json>> some;
        do {
            some = queen.queue(queue, Json.class).group(group)
                    .popAtMostOnce(PopOptions.DEFAULT.batch(10_000).maxPartitions(100)).deliveries();
            some.forEach(each -> values.add(each.value()));
        } while (!some.isEmpty());
        return values;
    }

    private String run(Example example) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            example.main(new String[]{server.url()});
        } finally {
            System.setOut(console);
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    private interface Example {
        void main(String[] args) throws Exception;
    }
}
