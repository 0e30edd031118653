package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.verify.history.HistoryReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Checks a history. It reads the file once and keeps a compact state per message, not the lines. */
public final class Checker {
    private final Findings findings = new Findings();
    private final Ledger ledger = new Ledger();
    private final List<Check> checks = List.of(new LossCheck(findings), new PhantomCheck(findings),
            new DuplicateCheck(findings), new OrderCheck(findings), new LeaseHolderCheck(findings),
            new FencingCheck(findings), new CursorCheck(findings), new AttemptsCheck(findings),
            new TornTransactionCheck(findings), new StreamStateCheck(findings), new ConservationCheck(findings),
            new RetentionCheck(findings), new SeekCheck(findings), new LivenessCheck(findings),
            LeakCheck.ofLeases(findings), LeakCheck.ofConnections(findings), LeakCheck.ofMemory(findings));

    private Checker() {}

    /**
     * Checks a history.
     *
     * @param observer sees each line, too, for example to draw a timeline
     */
    public static Findings check(Path history, Consumer<JsonNode> observer) {
        Checker checker = new Checker();
        HistoryReader.read(history, node -> {
            checker.read(node);
            observer.accept(node);
        });
        return checker.finish();
    }

    /** Returns the guarantee that each check verifies, by the name of the check. */
    public static Map<String, String> guarantees() {
        Map<String, String> all = new LinkedHashMap<>();
        new Checker().checks.forEach(each -> all.put(each.name(), each.guarantee()));
        return all;
    }

    private void read(JsonNode node) {
        Entry entry = Decoder.decode(node);
        checks.forEach(each -> each.read(entry, ledger));
        ledger.apply(entry);
    }

    private Findings finish() {
        checks.forEach(each -> each.finish(ledger));
        return findings;
    }
}
