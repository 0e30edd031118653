package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

/** Transactions that push notify the servers, but never delay each other's commits. */
class AnnounceTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Api listener = database.newSession();
    private final String queue = database.newPartition().queue();

    {
        listener.execute("listen queen_pushed");
    }

    @Test
    void oneOfSeveralConcurrentTransactionsNotifies() throws Exception {
        Api committing = pushing(queue);
        committing.execute("set constraints all immediate");

        push(api, queue);
        assertThat(notifications(100)).isEmpty();

        committing.execute("commit");
        assertThat(notifications(60_000)).containsExactly(queue);
        push(api, queue);
        assertThat(notifications(60_000)).containsExactly(queue);
    }

    @Test
    void transactionsOfOtherQueuesNotifyToo() throws Exception {
        Api committing = pushing(queue);
        committing.execute("set constraints all immediate");
        String other = database.newPartition().queue();

        push(api, other);

        assertThat(notifications(60_000)).containsExactly(other);
        committing.execute("rollback");
    }

    @Test
    void fourTransactionsOfTheDatabaseNotifyAtATime() throws Exception {
        List<Api> committing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            committing.add(pushing(database.newPartition().queue()));
            committing.getLast().execute("set constraints all immediate");
        }

        push(api, queue);
        assertThat(notifications(100)).isEmpty();

        committing.getFirst().execute("rollback");
        push(api, queue);
        assertThat(notifications(60_000)).containsExactly(queue);
        committing.forEach(each -> each.execute("rollback"));
    }

    private static Api pushing(String queue) {
        Api session = database.newSession();
        session.execute("begin");
        push(session, queue);
        return session;
    }

    private static void push(Api session, String queue) {
        session.execute("select queen.push('" + queue + "', '" + UUID.randomUUID() + "', '1'::json)");
    }

    private List<String> notifications(int waitMs) throws Exception {
        var notifications = listener.connection().unwrap(PGConnection.class).getNotifications(waitMs);
        return notifications == null
                ? List.of()
                : List.of(notifications).stream().map(each -> each.getParameter()).toList();
    }
}
