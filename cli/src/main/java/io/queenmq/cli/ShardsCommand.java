package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.ShardSummary;
import io.queenmq.client.operator.Shards;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen shards}. */
@Command(name = "shards", description = {
    "Where each shard is, how large it is, what is in it, and what is written there.",
    "Exit code 2 when one cannot be asked."})
final class ShardsCommand implements Callable<Integer> {
    private static final List<Column<Measured>> COLUMNS = List.of(
            Column.of("shard", each -> each.shard.number()), Column.wide("schema", each -> each.shard.schema()),
            Column.of("node", each -> each.shard.host() + ":" + each.shard.port()),
            Column.of("bytes", each -> each.shard.bytes()), Column.of("partitions", each -> each.shard.partitions()),
            Column.of("messages", each -> each.shard.messages()), Column.of("pending", each -> each.shard.pending()),
            Column.of("rowsWritten", each -> each.shard.rowsWritten()),
            Column.of("writesPerSecond", each -> each.writesPerSecond), Column.of("moving", Measured::moving),
            Column.of("trouble", each -> each.shard.trouble()));

    @ParentCommand
    private QueenCommand root;

    @Option(names = "--for", paramLabel = "TIME", converter = Moments.ToDuration.class, description = "Measure for so long how many rows are written, such as 5s.")
    private Duration time;

    /** @param writesPerSecond null when nobody asked for it, or the shard could not be asked */
    private record Measured(ShardSummary shard, Double writesPerSecond) {
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
