package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchOptionsTest {
    @Test
    void withoutArgumentsAllScenariosRunOnAServerOfTheCommand() {
        BenchOptions options = BenchOptions.parse();

        assertThat(options.scenarios()).isEqualTo(Scenario.ALL).extracting(Scenario::name).containsExactly("a", "b",
                "c", "d", "e", "f", "g2", "h");
        assertThat(options.seconds()).isEqualTo(10);
        assertThat(options.warmup()).isEqualTo(5);
        assertThat(options.url()).isNull();
        assertThat(options.json()).isEqualTo(Path.of("queen-bench.json"));
    }

    @Test
    void valuesFollowTheNameOrAnEqualsSign() {
        BenchOptions options = BenchOptions.parse("--scenario", "h, a", "--seconds=3", "--warmup", "0",
                "--url=http://example.org", "--json", "target/x.json");

        assertThat(options.scenarios()).extracting(Scenario::name).containsExactly("a", "h");
        assertThat(options.seconds()).isEqualTo(3);
        assertThat(options.warmup()).isZero();
        assertThat(options.url()).isEqualTo(URI.create("http://example.org:6632"));
        assertThat(options.json()).isEqualTo(Path.of("target/x.json").toAbsolutePath());
    }

    @Test
    void quickReducesDefaultsButNotExplicitOptions() {
        assertThat(BenchOptions.parse("--quick").scenarios()).isEqualTo(Scenario.QUICK);
        assertThat(BenchOptions.parse("--quick").seconds()).isEqualTo(1);
        assertThat(BenchOptions.parse("--quick", "--seconds", "2").seconds()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --scenario z            | there is no scenario "z"; there are a, b, c, d, e, f, g2, h
            --scenario a,           | there is no scenario ""
            --seconds 0             | --seconds must be a whole number from 1 to 3600, not "0"
            --seconds ten           | --seconds must be a whole number
            --warmup -1             | --warmup must be a whole number from 0
            --url https://localhost | --url must be like http://localhost:6632, not "https://localhost"
            --url localhost:6632    | --url must be like
            --consumer-url x        | --consumer-url must be like
            --consumer-url http://x | --consumer-url requires --url
            --url http://x/api      | --url must be like
            --json no/such/file     | --json must be a file in a folder that exists
            --json src              | --json must be a file
            --seconds               | --seconds requires a value
            --fast                  | there is no option --fast
            """)
    void invalidOptionsAreRejected(String arguments, String message) {
        assertThatThrownBy(() -> BenchOptions.parse(arguments.split(" "))).isInstanceOf(BadArguments.class)
                .hasMessageContaining(message);
    }
}
