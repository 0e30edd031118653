package io.queenmq.server.operator;

import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The SQL statement of a call for operators, with its arguments. */
record OperatorStatement(String sql, List<@Nullable Object> arguments) {
    static OperatorStatement of(OperatorCall call, String apiSchema) {
        List<@Nullable Object> arguments = new ArrayList<>(call.arguments());
        String places = IntStream.rangeClosed(1, arguments.size()).mapToObj(i -> "$" + i)
                .collect(Collectors.joining(", "));
        String expression = inShard(call.shard(), apiSchema + "." + call.routine() + "(" + places + ")");
        if (call.client() != null) {
            arguments.add(call.client());
            expression = forClient("$" + arguments.size(), expression);
        }
        return new OperatorStatement("select " + expression, arguments);
    }

    /** Selects the shard in the same statement, which saves a round trip. PostgreSQL evaluates the condition first. */
    private static String inShard(@Nullable String shard, String expression) {
        return shard == null
                ? expression
                : "case when set_config('search_path', '" + Shards.path(shard) + "', true) is not null then "
                        + expression + " end";
    }

    /** Sets the client address that the audit log reads. The setting ends with the transaction. */
    private static String forClient(String address, String expression) {
        return "case when set_config('queen.client_address', " + address + ", true) is not null then " + expression
                + " end";
    }
}
