package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.ShardSummary;
import io.queenmq.client.operator.Shards;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen shards}. */
@Command(name = "shards", description = {"List shards with their location, size, contents and write rate.",
    "Exit code 2 if a shard is unreachable."})
final class ShardsCommand implements Callable<Integer> {
    private static final List<Column<Measured>> COLUMNS = List.of(Column.of("shard", each -> each.shard.number()),
            Column.wide("schema", each -> each.shard.schema()),
            Column.of("node", each -> each.shard.host() + ":" + each.shard.port()),
            Column.of("bytes", each -> each.shard.bytes()), Column.of("partitions", each -> each.shard.partitions()),
            Column.of("messages", each -> each.shard.messages()), Column.of("pending", each -> each.shard.pending()),
            Column.of("rowsWritten", each -> each.shard.rowsWritten()),
            Column.of("writesPerSecond", each -> each.writesPerSecond), Column.of("moving", Measured::moving),
            Column.of("trouble", each -> each.shard.trouble()));

    @ParentCommand
    private QueenCommand root;

    @Option(names = "--for", paramLabel = "TIME", converter = Moments.ToDuration.class, description = "Measure the written rows for this time, such as 5s.")
    private @Nullable Duration time;

    /** @param writesPerSecond null if not requested, or if the shard is unreachable */
    private record Measured(ShardSummary shard, @Nullable Double writesPerSecond) {
        Map<String, Object> moving() {
            ShardSummary.Move move = shard.move();
            if (move == null) {
                return Map.of();
            }
            Map<String, Object> moving = new LinkedHashMap<>();
            moving.put("to", move.host() + ":" + move.port());
            moving.put("movedBytes", move.movedBytes());
            moving.put("bytes", move.bytes());
            return moving;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        Shards before = root.operator().shards();
        Shards now = before;
        if (time != null) {
            Thread.sleep(time);
            now = root.operator().shards();
        }
        List<Measured> measured = measured(before, now);
        root.output().list(COLUMNS, measured);
        return measured.stream().allMatch(each -> each.shard.trouble() == null) ? ExitCode.OK : ExitCode.SERVER;
    }

    private static List<Measured> measured(Shards before, Shards now) {
        double seconds = Duration.between(before.at(), now.at()).toNanos() / 1e9;
        return now.shards().stream().map(shard -> {
            Long first = before.shards().get(shard.number()).rowsWritten();
            Long last = shard.rowsWritten();
            return new Measured(shard, seconds <= 0 || first == null || last == null ? null : (last - first) / seconds);
        }).toList();
    }
}
