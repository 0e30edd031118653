package io.queenmq.dashboard.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A queue and a partition called .. exist, as older servers accepted them. Browsers remove such a name from the path of a
 * request, so that the action would reach all partitions, or all queues.
 */
@Needs(Program.CHROMIUM)
class DotNamesTest {
    private static Board board;
    private static Queues other;
    private static Queues renamed;
    private static String partition;

    @BeforeAll
    static void start() throws SQLException {
        board = Board.with(Map.of());
        other = Queues.create(board).filled(3).read(1, "completed");
        other.queen().push(other.name(), "b", List.of("x", "y"));
        other.queen().pop(other.name(), "b", "g", "batch=1&autoAck=true");
        renamed = Queues.create(board).filled(3).read(1, "completed");
        partition = other.partitionId();
        board.database().everywhere("update partition set name = '..' where id = '" + partition + "'");
        board.database().everywhere("update partition_key set name = '..' where id = '" + partition + "'");
        try (Connection connection = board.database().connect(); var statement = connection.createStatement()) {
            statement.execute("update queen.queue set name = '..' where name = '" + renamed.name() + "'");
            statement.execute(
                    "update queen.subscription set queue_name = '..' where queue_name = '" + renamed.name() + "'");
            statement.execute(
                    "update queen.catalog set version = version + 1, subscription_version = subscription_version + 1");
        }
        board.queen().post("/api/v1/stats/refresh", null);
    }

    @AfterAll
    static void stop() {
        board.close();
    }

    @Test
    void seekingThePartitionMovesNoOtherPartition() throws SQLException {
        List<String> before = positions();
        try (Tab tab = Tab.of(board.url()).open("/partitions/" + partition)) {
            tab.button("Seek…").click();
            tab.page.getByLabel("Offset").fill("3");
            tab.askButton("Move").click();
            isExplained(tab);
        }
        assertThat(positions()).isEqualTo(before);
    }

    @Test
    void skippingTheHeadOfThePartitionChangesNothing() throws SQLException {
        List<String> before = positions();
        try (Tab tab = Tab.of(board.url()).open("/partitions/" + partition)) {
            tab.button("Skip the head").click();
            tab.askButton("Skip").click();
            isExplained(tab);
        }
        assertThat(positions()).isEqualTo(before);
    }

    @Test
    void deletingTheGroupOnTheQueueKeepsItOnAllQueues() throws SQLException {
        List<String> before = positions();
        try (Tab tab = Tab.of(board.url()).open("/groups/g")) {
            Locator row = tab.page.locator("tbody tr").filter(new Locator.FilterOptions().setHas(
                    tab.page.getByText("..", new com.microsoft.playwright.Page.GetByTextOptions().setExact(true))));
            row.getByText("Delete").click();
            tab.shows(tab.ask(), "Delete g on ..");
            tab.askButton("Delete the group").click();
            isExplained(tab);
        }
        assertThat(positions()).isEqualTo(before);
        assertThat(select("select count(*) from queen.subscription where group_name = 'g'")).containsExactly("2");
    }

    private static void isExplained(Tab tab) {
        tab.ask().locator("[role=alert]").getByText("A browser cannot address the name \"..\"").waitFor();
    }

    /** Returns the position of the group in every partition. */
    private static List<String> positions() throws SQLException {
        List<String> positions = select("select p.name || ' ' || c.committed || ' ' || coalesce(c.acked::text, '')"
                + " from queen.cursor c join queen.partition p on p.id = c.partition_id where c.group_name = 'g' order by p.id");
        assertThat(positions).hasSize(3);
        return positions;
    }

    private static List<String> select(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = board.database().connect();
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }
}
