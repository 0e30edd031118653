package io.queenmq.examples;

import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A shop that writes an order and its message in one transaction. Arguments: the URL of Queen, then the JDBC URL, user
 * and password of its database, and the number of orders. It can be killed at any time: an order never exists without
 * its message, nor a message without its order.
 */
public final class Shop {
    private Shop() {}

    public static void main(String[] args) throws SQLException {
        int orders = Integer.parseInt(args[4]);
        try (var queen = Queen.connect(args[0]);
                var connection = DriverManager.getConnection(args[1], args[2], args[3])) {
            queen.operator().queues().configure("shop-orders", QueueOptions.of());
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("create table if not exists shop_order"
                        + " (number int generated always as identity primary key, customer text not null, total int not null)");
            }
            for (int i = 0; i < orders; i++) {
                Order order = take(queen, connection, "customer-" + i % 3, 10 * i);
                System.out.println("took " + order.number());
            }
        }
    }

    private static Order take(Queen queen, Connection connection, String customer, int total) throws SQLException {
        // snippet: own-transaction
        try (var insert = connection
                .prepareStatement("insert into shop_order (customer, total) values (?, ?) returning number")) {
            insert.setString(1, customer);
            insert.setInt(2, total);
            var rows = insert.executeQuery();
            rows.next();
            var order = new Order(rows.getInt(1), customer, total);
            queen.within(connection).push("shop-orders", customer, order, "order-" + order.number());
            connection.commit();
            return order;
        }
        // end
    }
}
