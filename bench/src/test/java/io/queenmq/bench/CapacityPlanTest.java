package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class CapacityPlanTest {
    private static final Path GUIDE = Path.of("../docs/guide/capacity.md");

    @Test
    void plansAgreeWithTheExamplesOfTheGuide() throws Exception {
        List<List<String>> examples = Files.readAllLines(GUIDE).stream().filter(line -> line.matches("\\| \\d.*")).map(
                line -> Arrays.stream(line.split("\\|")).map(String::strip).filter(cell -> !cell.isEmpty()).toList())
                .filter(cells -> cells.size() == 8).toList();

        assertThat(examples).hasSizeGreaterThan(4).allSatisfy(cells -> {
            CapacityPlan plan = PlanOptions.parse("--plan", "--messages", cells.get(0).replace(",", ""),
                    "--payload=" + cells.get(1).replace(",", ""), "--batch", cells.get(2), "--retention",
                    cells.get(3).replace(" ", ""));
            assertThat(format("%,.0f GB", plan.diskGigabytes())).isEqualTo(cells.get(4));
            assertThat(format("%.1f MB/s", plan.walMegabytesPerSecond())).isEqualTo(cells.get(5));
            assertThat(format("%.2f", plan.postgresCores())).isEqualTo(cells.get(6));
            assertThat(format("%.2f", plan.serverCores())).isEqualTo(cells.get(7));
            assertThat(plan.text()).contains(cells.subList(4, 6));
        });
    }

    @Test
    void costsBetweenMeasuredBatchesDecrease() {
        double before = Double.MAX_VALUE;
        for (String batch : List.of("1", "2", "5", "10", "30", "100")) {
            double cores = PlanOptions.parse("--batch", batch).postgresCores();
            assertThat(cores).isLessThan(before);
            before = cores;
        }
        assertThat(PlanOptions.parse("--batch", "1000").postgresCores()).isEqualTo(before);
    }

    @Test
    void groupsServersAndTheSpoolAreIncluded() {
        CapacityPlan plan = PlanOptions.parse("--messages", "3000", "--groups", "2", "--servers", "3");

        assertThat(plan.connections()).isEqualTo(66);
        assertThat(plan.spoolBytes()).isEqualTo(750_000_000);
        assertThat(plan.walMegabytesPerSecond())
                .isGreaterThan(PlanOptions.parse("--messages", "3000").walMegabytesPerSecond());
    }

    @Test
    void wrongOptionsAreRejected() {
        assertThatThrownBy(() -> PlanOptions.parse("--retention", "long")).hasMessageContaining("such as 12h or 7d");
        assertThatThrownBy(() -> PlanOptions.parse("--messages", "0")).hasMessageContaining("positive");
        assertThatThrownBy(() -> PlanOptions.parse("--seconds", "1")).hasMessageContaining("no option --seconds");
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
