package io.queenmq.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.queue.OptionRange.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueueOptionTest {
    private static final Path GUIDE = Path.of("../docs/guide/queue-options.md");
    private static final String HEAD = "| option | default | range | meaning |\n|---|---|---|---|\n";
    private static final Pattern TABLE = Pattern.compile(Pattern.quote(HEAD) + "(?:\\|.*\n)*");

    @Test
    void keysAndColumnsAndLabelsAreUnique() {
        assertThat(QueueOption.values()).extracting(QueueOption::key).doesNotHaveDuplicates();
        assertThat(QueueOption.values()).extracting(QueueOption::column).doesNotHaveDuplicates();
        assertThat(QueueOption.values()).extracting(QueueOption::label).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void defaultsAndMeaningsAreInRange(QueueOption option) {
        OptionRange range = option.range();
        if (!option.isNullable()) {
            assertThat(option.defaultValue()).isInstanceOf(range.type().javaType());
        }
        if (option.defaultValue() instanceof Number number) {
            assertThat(number.doubleValue()).isBetween((double) range.min(), (double) range.max());
        }
        assertThat(range.meanings().keySet()).allSatisfy(each -> assertThat(each).isBetween(range.min(), range.max()));
    }

    /** {@link QueueOptions#AS_THE_SERVER} must not be a value of its own. */
    @ParameterizedTest
    @EnumSource
    void aNullableOptionHasNoNegativeValues(QueueOption option) {
        assertThat(option.isNullable() && option.range().min() < 0).isFalse();
    }

    @Test
    void aValueOfAnotherTypeIsRejected() {
        assertThatThrownBy(() -> QueueOptions.NONE.with(QueueOption.MAX_SIZE, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("MAX_SIZE is 5; use a value of the type BIGINT");
        assertThatThrownBy(() -> QueueOptions.NONE.with(QueueOption.LEASE_TIME, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** To write the table again, run this with -Dqueen.write-docs=true. */
    @Test
    void theTableOfTheGuideListsEveryOption() throws Exception {
        String guide = Files.readString(GUIDE);
        Matcher table = TABLE.matcher(guide);
        assertThat(table.find()).isTrue();
        String expected = HEAD
                + Arrays.stream(QueueOption.values()).map(QueueOptionTest::row).collect(Collectors.joining());
        if (Boolean.getBoolean("queen.write-docs")) {
            Files.writeString(GUIDE, table.replaceFirst(Matcher.quoteReplacement(expected)));
            return;
        }

        assertThat(table.group()).as("run this test with -Dqueen.write-docs=true to write the table")
                .isEqualTo(expected);
    }

    private static String row(QueueOption option) {
        String defaultValue = String.valueOf(option.defaultValue()).replaceFirst("\\.0$", "");
        return "| `%s` | %s | %s | %s |\n".formatted(option.key(), defaultValue, range(option), option.description());
    }

    private static String range(QueueOption option) {
        OptionRange range = option.range();
        if (range.type() == Type.BOOLEAN) {
            return "true, false";
        }
        String meanings = range.meanings().entrySet().stream()
                .map(each -> "; " + each.getKey() + ": " + each.getValue()).collect(Collectors.joining());
        return (range.min() + " to " + range.max() + " " + range.unit().symbol()).strip() + meanings
                + (option.isNullable() ? "; null" : "");
    }
}
