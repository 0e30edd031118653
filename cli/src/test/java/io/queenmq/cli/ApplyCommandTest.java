package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ApplyCommandTest {
    @RegisterExtension
    static final CliServer queen = new CliServer();

    private final String queue = CliServer.newQueue();
    private final String file = """
            queues:
              - name: %s
                namespace: shop
                options:
                  leaseTime: 60
                  retryLimit: 5
            """.formatted(queue);

    @Test
    void aDryRunShowsTheChangesWithoutApplyingThem() {
        JsonNode step = queen.runWithInput(file, "apply", "-f", "-", "--dry-run", "-o", "json").ok().json().get(0);

        assertThat(step.get("action").asText()).isEqualTo("create");
        assertThat(step.get("changes").toString()).isEqualTo("[\"namespace=shop\",\"leaseTime=60\",\"retryLimit=5\"]");
        assertThat(queen.run("queue", "describe", queue).code()).isEqualTo(4);
    }

    @Test
    void queuesAreCreatedThenLeftAloneThenChanged() {
        assertThat(queen.runWithInput(file, "apply", "-f", "-").ok().out()).contains("create");
        assertThat(queen.runWithInput(file, "apply", "-f", "-").ok().out()).contains("unchanged");

        assertThat(queen.runWithInput(file.replace("60", "90"), "apply", "-f", "-", "-o", "json").ok().json().get(0)
                .get("changes").toString()).isEqualTo("[\"leaseTime: 60 -> 90\"]");

        assertThat(queen.run("queue", "describe", queue, "-o", "json").json().at("/options/leaseTime").asInt())
                .isEqualTo(90);
        assertThat(queen.run("queue", "describe", queue, "-o", "json").json().at("/options/retryLimit").asInt())
                .isEqualTo(5);
    }

    @Test
    void theOutputOfDescribeCanBeApplied() {
        queen.runWithInput(file, "apply", "-f", "-").ok();
        String described = queen.run("queue", "describe", queue, "-o", "yaml").ok().out();

        assertThat(queen.runWithInput(described, "apply", "-f", "-").ok().out()).contains("unchanged");
        assertThat(queen.runWithInput(described.replace(queue, queue + "-copy"), "apply", "-f", "-").ok().out())
                .contains("create");
        assertThat(
                queen.run("queue", "describe", queue + "-copy", "-o", "json").json().at("/options/leaseTime").asInt())
                .isEqualTo(60);
    }

    @Test
    void errorsAreReportedBeforeAnyChange() {
        assertThat(queen.runWithInput(file + "  - name: x\n    opions: {}\n", "apply", "-f", "-").err())
                .isEqualTo("queen: standard input: the queue x has an unknown field 'opions'\n");
        assertThat(queen.runWithInput(file.replace("leaseTime", "leasTime"), "apply", "-f", "-").code()).isEqualTo(1);
        assertThat(queen.runWithInput(file.replace("60", "soon"), "apply", "-f", "-").code()).isEqualTo(1);
        assertThat(queen.runWithInput("queues: [", "apply", "-f", "-").err())
                .startsWith("queen: standard input is not YAML: line ");
        assertThat(queen.runWithInput("", "apply", "-f", "-").code()).isEqualTo(4);
        assertThat(queen.run("apply", "-f", "/no/such").code()).isEqualTo(1);
        assertThat(queen.run("queue", "describe", queue).code()).isEqualTo(4);
    }
}
