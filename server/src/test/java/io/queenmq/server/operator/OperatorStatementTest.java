package io.queenmq.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.reply.Reply;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorStatementTest {
    /** Every value of a client must be an argument, and never a part of the statement. */
    @ParameterizedTest(name = "arguments {0}, shard {1}, client {2}")
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            none | none     | none     | select api.show() | none
            a    | none     | none     | select api.show($1) | a
            a b  | none     | none     | select api.show($1, $2) | a b
            a    | none     | 10.0.0.1 | select case when set_config('queen.client_address', $2, true) is not null then api.show($1) end | a 10.0.0.1
            none | none     | 10.0.0.1 | select case when set_config('queen.client_address', $1, true) is not null then api.show() end | 10.0.0.1
            """)
    void theStatementCallsTheRoutine(String arguments, String shard, String client, String sql, String expected) {
        OperatorStatement statement = statement(arguments, shard, client);

        assertThat(statement.sql()).isEqualTo(sql);
        assertThat(statement.arguments()).isEqualTo(expected == null ? List.of() : List.of(expected.split(" ")));
    }

    @ParameterizedTest(name = "client {0}")
    @CsvSource(nullValues = "none", value = {"none", "10.0.0.1"})
    void theShardIsSelectedBeforeTheRoutineIsCalled(String client) {
        String sql = statement("a", "queen_02", client).sql();

        assertThat(sql).contains("case when set_config('search_path', '").contains("queen_02")
                .containsSubsequence("queen_02", "true) is not null then api.show($1) end");
    }

    private static OperatorStatement statement(String arguments, String shard, String client) {
        List<Object> values = arguments == null ? List.of() : Arrays.asList((Object[]) arguments.split(" "));
        return OperatorStatement.of(new OperatorCall("show", shard, client, values, Reply.ignored()), "api");
    }
}
