package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Needs;
import io.queenmq.testkit.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each alert fires while its cause lasts, and resolves afterward. */
@Needs(Program.PROMTOOL)
class AlertRulesTest {
    private static final Path FOLDER = Repository.ROOT.resolve("docs/monitoring");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

    @Test
    void allAlertsFireAndResolve() throws Exception {
        assertThat(promtool("test", "rules", "alerts.test.yml")).contains("SUCCESS");
    }

    @Test
    void theRulesAndTheirTemplatesAreValid() throws Exception {
        assertThat(promtool("check", "rules", "alerts.yml")).contains("SUCCESS");
    }

    @Test
    void everyAlertHasATest() throws Exception {
        String tests = Files.readString(FOLDER.resolve("alerts.test.yml"));
        Matcher alerts = ALERT.matcher(Files.readString(FOLDER.resolve("alerts.yml")));
        List<String> names = alerts.results().map(match -> match.group(1)).toList();

        assertThat(names).hasSizeGreaterThan(15).allSatisfy(name -> {
            int start = tests.indexOf("    name: " + name + "\n");
            assertThat(start).as("test of " + name).isPositive();
            int end = tests.indexOf("    name: ", start + 1);
            assertThat(tests.substring(start, end < 0 ? tests.length() : end)).contains("exp_samples: [{value: 1}]",
                    "exp_samples: []", "alertname=\"" + name + "\"");
        });
    }

    /** Returns the output of promtool, which must succeed. */
    private static String promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Program.PROMTOOL.find().orElseThrow().toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).directory(FOLDER.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
