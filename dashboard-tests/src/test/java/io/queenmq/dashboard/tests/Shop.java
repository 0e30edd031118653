package io.queenmq.dashboard.tests;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Message;
import io.queenmq.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The data for tests of the browser: a shop with messages, a slow consumer, a blocked partition, dead letters, a
 * paused queue, a queue without groups, and unusual names.
 */
final class Shop {
    static final String NASTY_QUEUE = "\"><img src=x>";
    static final String NASTY_PARTITION = "<b>partition</b>";
    static final String NASTY_MESSAGE = "<script>alert('id')</script>";
    static final String STUCK_PARTITION = "customer-042";

    private static final List<String> GOODS = List.of("teapot", "lamp", "chair", "notebook", "bicycle pump");

    private final QueenClient queen;
    private final TestDatabase database;
    private final Random random = new Random(7);

    Shop(QueenClient queen, TestDatabase database) {
        this.queen = queen;
        this.database = database;
    }

    void open() {
        configure();
        history();
        orders();
        emails();
        others();
        nasty();
        traces();
        StreamQueries.create(queen, "shop.clicks");
        check(queen.post("/api/v1/stats/refresh", null));
    }

    /** Inserts past counts. The server adds its own counts to them later. */
    private void history() {
        Await.until(() -> !queen.get("/api/v1/analytics/worker-metrics").body().get("workers").isEmpty());
        execute(Sources.resource("/history.sql"));
    }

    private void configure() {
        configure("shop.orders", Map.of("retryLimit", 5, "retryDelay", 3_000_000, "leaseTime", 600));
        configure("shop.invoices", Map.of("leaseTime", 60));
        configure("shop.emails", Map.of("retryLimit", 0, "retryDelay", 0));
        configure("media.thumbnails", Map.of("priority", 5));
        configure("media.transcode", Map.of("leaseTime", 900));
        configure("payments.cards", Map.of("encryptionEnabled", true));
        configure("audit.events", Map.of("retentionEnabled", true, "retentionSeconds", 2_592_000));
    }

    /** A dot in the name separates namespace and task. */
    private void configure(String queue, Map<String, ?> options) {
        String[] parts = queue.split("\\.");
        check(queen.post("/api/v1/configure",
                Map.of("queue", queue, "namespace", parts[0], "task", parts[1], "options", options)));
    }

    private void orders() {
        for (int customer = 38; customer < 54; customer++) {
            String partition = "customer-0" + customer;
            for (int batch = 0; batch < 3; batch++) {
                List<Map<String, Object>> items = new ArrayList<>();
                for (int i = 0; i < 8 + random.nextInt(8); i++) {
                    String id = "order-%d-%d%02d".formatted(customer, batch, i);
                    items.add(Map.of("queue", "shop.orders", "partition", partition, "transactionId", id, "payload",
                            order(id, partition)));
                }
                push(items);
            }
        }
        finish("shop.orders", "shipping", 2000, 32);
        finish("shop.orders", "billing", 2000, 32);
        finish("shop.orders", "analytics", 120, 32);
        // The unread messages of the group analytics are some minutes old.
        database.everywhere("update segment s set created_at = s.created_at - interval '14 minutes'"
                + " from partition p, queen.queue q where p.id = s.partition_id and q.id = p.queue_id and q.name = 'shop.orders'");
        // A consumer is active, but processes one message for a long time.
        queen.pop("shop.orders", "customer-038", "analytics", "batch=1");
        List<Message> before = queen.pop("shop.orders", STUCK_PARTITION, "billing", "batch=1000").messages();
        check(queen.ack("billing", before.stream().map(each -> each.ack("completed")).toList()));
        push(List.of(
                item("shop.orders", STUCK_PARTITION, "order-42-poison",
                        Map.of("orderId", "order-42-poison", "total", -1)),
                item("shop.orders", STUCK_PARTITION, "order-42-next", order("order-42-next", STUCK_PARTITION)),
                item("shop.orders", STUCK_PARTITION, "order-42-last", order("order-42-last", STUCK_PARTITION))));
        fail("shop.orders", STUCK_PARTITION, "billing", "PriceCheck: total must not be negative (was -1)");
        push(List.of(item("shop.orders", "customer-040", "order-40-held", order("order-40-held", "customer-040"))));
        queen.pop("shop.orders", "customer-040", "shipping", "batch=5");
    }

    private void emails() {
        List<String> errors = List.of("SMTP 550: mailbox unavailable", "timeout after 30 s: smtp.example.com:25",
                "template welcome-v2 not found");
        int number = 0;
        for (int kind = 0; kind < errors.size(); kind++) {
            for (int i = 0; i < 14 - 5 * kind; i++) {
                String partition = "user-" + (100 + number % 9);
                String id = "mail-" + (7000 + number++);
                push(List.of(item("shop.emails", partition, id,
                        Map.of("to", partition + "@example.com", "template", "welcome-v2", "attempt", i))));
                fail("shop.emails", partition, "sender", errors.get(kind));
            }
        }
        for (int i = 0; i < 12; i++) {
            push(List.of(item("shop.emails", "user-" + (200 + i), "mail-" + (8000 + i),
                    Map.of("to", "user-" + i + "@example.com"))));
        }
        finish("shop.emails", "sender", 12, 12);
    }

    private void others() {
        for (int i = 0; i < 30; i++) {
            push(List.of(
                    item("shop.invoices", "customer-0" + (40 + i % 12), "invoice-" + (9000 + i),
                            Map.of("invoice", 9000 + i, "total", 10 + i)),
                    item("media.thumbnails", "album-" + i % 5, "thumb-" + i,
                            Map.of("image", "s3://media/" + i + ".jpg")),
                    item("media.transcode", "video-" + i % 4, "clip-" + i, Map.of("video", i, "codec", "av1")),
                    item("payments.cards", "merchant-" + i % 3, "auth-" + i,
                            Map.of("pan", "4111111111111111", "amount", 100 + i)),
                    item("audit.events", "Default", "event-" + i, Map.of("actor", "ada", "action", "login"))));
        }
        finish("shop.invoices", "mailer", 30, 12);
        finish("media.thumbnails", "resizer", 12, 5);
        finish("media.transcode", "encoder", 20, 4);
        finish("payments.cards", "acquirer", 30, 3);
        check(queen.post("/api/v1/resources/queues/media.thumbnails/pause", null));
        queen.pop("media.transcode", null, "encoder", "batch=4");
    }

    private void nasty() {
        push(List.of(item(NASTY_QUEUE, NASTY_PARTITION, NASTY_MESSAGE,
                Map.of("html", "<script>alert('payload')</script>", "<i>key</i>", "<img src=x onerror=alert(1)>"))));
        fail(NASTY_QUEUE, NASTY_PARTITION, "<u>group</u>", "<script>alert('error')</script>");
    }

    private void traces() {
        for (int i = 0; i < 3; i++) {
            Message message = queen.pop("shop.invoices", "customer-04" + i, "tracer", "batch=1").messages().getFirst();
            for (String[] note : List.of(new String[]{"info", "rendering"}, new String[]{"success", "PDF stored"},
                    new String[]{i == 1 ? "error" : "success",
                        i == 1 ? "printer is out of paper" : "handed to the printer"})) {
                check(queen.post("/api/v1/traces",
                        Map.of("transactionId", message.transactionId(), "partitionId", message.partitionId(),
                                "consumerGroup", "tracer", "eventType", note[0], "traceNames",
                                List.of("checkout-" + (17 + i), "printing"), "data", Map.of("text", note[1]))));
            }
            ack("tracer", message, "completed");
        }
    }

    private Map<String, Object> order(String id, String customer) {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            lines.add(Map.of("sku", GOODS.get(random.nextInt(GOODS.size())), "quantity", 1 + random.nextInt(4), "price",
                    5 + random.nextInt(95)));
        }
        return Map.of("orderId", id, "customer", customer, "lines", lines, "currency", "EUR", "isGift",
                random.nextBoolean(), "number", 9_007_199_254_740_993L + 2 * random.nextInt(500));
    }

    private static Map<String, Object> item(String queue, String partition, String id, Object payload) {
        return Map.of("queue", queue, "partition", partition, "transactionId", id, "payload", payload);
    }

    private void push(List<Map<String, Object>> items) {
        check(queen.post("/api/v1/push", Map.of("items", items)));
    }

    private void finish(String queue, String group, int messages, int partitions) {
        int left = messages;
        while (left > 0) {
            List<Message> got = queen
                    .pop(queue, null, group, "batch=" + Math.min(left, 40) + "&partitions=" + partitions).messages();
            if (got.isEmpty()) {
                return;
            }
            check(queen.ack(group, got.stream().map(each -> each.ack("completed")).toList()));
            left -= got.size();
        }
    }

    private void fail(String queue, String partition, String group, String error) {
        Message message = queen.pop(queue, partition, group, "batch=1").messages().getFirst();
        check(queen.ack(group, List.of(Map.of("transactionId", message.transactionId(), "partitionId",
                message.partitionId(), "leaseId", message.leaseId(), "status", "failed", "error", error))));
    }

    private void ack(String group, Message message, String status) {
        check(queen.ack(group, List.of(message.ack(status))));
    }

    private static void check(QueenClient.Answer answer) {
        if (!answer.isOk()) {
            throw new IllegalStateException(answer.toString());
        }
    }

    private void execute(String sql) {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
