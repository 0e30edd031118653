package io.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import io.queenmq.client.PopOptions;
import io.queenmq.client.Queen;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shop is killed repeatedly. */
@QueenTest
class ShopTest {
    private static final int KILLS = 3;

    @Test
    void ordersAndMessagesMatchAfterKills(Queen queen, TestQueen server) throws Exception {
        int taken = 0;
        for (int i = 0; i < KILLS; i++) {
            taken += takeOrdersUntilKilled(server, 40 + 30 * i);
        }

        List<Integer> orders = orders(server);
        assertThat(orders).hasSizeGreaterThanOrEqualTo(taken);
        assertThat(announced(queen)).isEqualTo(orders);
    }

    /** Returns all messages: one pop reads partitions of one shard. */
    private static List<Integer> announced(Queen queen) {
        List<Integer> numbers = new ArrayList<>();
        List<Delivery<Order>> some;
        do {
            some = queen.queue("shop-orders", Order.class).group("auditor")
                    .popAtMostOnce(PopOptions.DEFAULT.batch(10_000).maxPartitions(10)).deliveries();
            some.forEach(each -> numbers.add(each.value().number()));
        } while (!some.isEmpty());
        numbers.sort(null);
        return numbers;
    }

    /** Kills the shop after it has printed this number of orders. */
    private static int takeOrdersUntilKilled(TestQueen server, int orders) throws Exception {
        Process shop = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Shop.class.getName(), server.url(), server.jdbcUrl(),
                server.databaseUser(), server.databasePassword(), "1000000").redirectErrorStream(true).start();
        int printed = 0;
        try (var lines = shop.inputReader()) {
            for (String line = lines.readLine(); printed < orders && line != null; line = lines.readLine()) {
                printed += line.startsWith("took ") ? 1 : 0;
            }
        } finally {
            shop.destroyForcibly().waitFor();
        }
        assertThat(printed).isEqualTo(orders);
        return printed;
    }

    private static List<Integer> orders(TestQueen server) throws Exception {
        List<Integer> numbers = new ArrayList<>();
        try (var connection = server.connectDatabase();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select number from shop_order order by number")) {
            while (rows.next()) {
                numbers.add(rows.getInt(1));
            }
        }
        return numbers;
    }
}
