package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.queenmq.verify.load.Requests.Delivery;
import io.queenmq.verify.load.Requests.Message;
import io.queenmq.verify.load.Requests.Popped;
import io.queenmq.verify.load.Session.Result;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Pops from one queue, then acknowledges and pushes in an SQL transaction of its own, and sometimes rolls it back. */
final class SqlUser extends Worker {
    private static final int LEASE_SECONDS = 4;
    private static final int PARTITIONS = 40;
    private static final int REJECTED = 409;
    private static final int COMMITTED = 200;
    private static final int UNKNOWN = -1;
    /** Classes of SQLSTATE: the connection was lost, or PostgreSQL ended it. */
    private static final List<String> LOST = List.of("08", "57", "58", "XX");

    private final Plan plan;
    private final Targets.Database database;
    private final String source;
    private final String target;
    private final String group;
    private final Deliveries deliveries;

    SqlUser(Session session, Plan plan, Targets.Database database, String source, String target, String group,
            Deliveries deliveries) {
        super(session, plan.seed());
        this.plan = plan;
        this.database = database;
        this.source = source;
        this.target = target;
        this.group = group;
        this.deliveries = deliveries;
    }

    @Override
    protected void step() {
        Popped popped = requests.pop(source, null, group, 1 + random.nextInt(5), 1, Duration.ofMillis(500),
                LEASE_SECONDS, false);
        if (popped.messages().isEmpty()) {
            pause(Duration.ofMillis(popped.isUnknown() ? 300 : 0));
            return;
        }
        deliveries.count();
        List<Message> pushes = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            long m = plan.newMessage();
            pushes.add(new Message(m, target, "t" + random.nextInt(PARTITIONS), "m" + m, false));
        }
        // Transactions that lock partitions in one order do not deadlock.
        pushes.sort(Comparator.comparing(Message::partition));
        boolean isRolledBack = !deliveries.isDraining() && chance(0.1);
        long start = session.history().nowMicros();
        int status = execute(popped, pushes, isRolledBack);
        requests.recordTransaction(new Result(start, status, MissingNode.getInstance()), group, popped.lease(),
                popped.messages(), pushes);
        if (status != COMMITTED) {
            pause(Duration.ofMillis(200));
        }
        // The group has other consumers, which use HTTP.
        pause(Duration.ofMillis(random.nextInt(400)));
    }

    private int execute(Popped popped, List<Message> pushes, boolean isRolledBack) {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            ack(connection, popped);
            push(connection, pushes);
            if (isRolledBack) {
                connection.rollback();
                return REJECTED;
            }
            return commit(connection);
        } catch (SQLException _) {
            // Nothing was committed.
            return REJECTED;
        }
    }

    private void ack(Connection connection, Popped popped) throws SQLException {
        try (PreparedStatement ack = connection.prepareStatement("select queen.ack(?::uuid, ?, ?::uuid, ?)")) {
            for (Delivery each : popped.messages()) {
                ack.setString(1, each.partitionId());
                ack.setString(2, group);
                ack.setString(3, popped.lease());
                ack.setString(4, each.transactionId());
                ack.execute();
            }
        }
    }

    private static void push(Connection connection, List<Message> pushes) throws SQLException {
        try (PreparedStatement push = connection.prepareStatement("select queen.push(?, ?, ?::jsonb, ?)")) {
            for (Message each : pushes) {
                push.setString(1, each.queue());
                push.setString(2, each.partition());
                push.setString(3, Requests.payload(each).toString());
                push.setString(4, each.transactionId());
                push.execute();
            }
        }
    }

    private static int commit(Connection connection) {
        try {
            connection.commit();
            return COMMITTED;
        } catch (SQLException e) {
            String state = e.getSQLState();
            return state == null || LOST.stream().anyMatch(state::startsWith) ? UNKNOWN : REJECTED;
        }
    }
}
