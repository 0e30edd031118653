package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.catalog.CatalogState.Comparison;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogStateTest {
    /** The column newest is the highest version that was read completely before; known may be of an earlier version. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            first reading                                     | -1 | -1 | 5 | CHANGED
            first reading of an empty catalog                 | -1 | -1 | 0 | CHANGED
            nothing changed                                   |  5 |  5 | 5 | UNCHANGED
            a later version                                   |  5 |  5 | 6 | CHANGED
            the same version, not all of it applied           |  4 |  5 | 5 | CHANGED
            an earlier version is another history             |  5 |  5 | 4 | REVERTED
            an earlier version, though it is the applied one  |  4 |  5 | 4 | REVERTED
            """)
    void versionsDecideWhetherTheQueuesAreReadAgain(String row, long known, long newest, long read,
            Comparison expected) {
        assertThat(state(read).comparedWith(known < 0 ? CatalogState.UNKNOWN : state(known), newest))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "subscriptions {0}, push off {1}, epoch {2}, binding {3}: {4}")
    @CsvSource({"0, false, 0, false, UNCHANGED", "1, false, 0, false, CHANGED", "0, true, 0, false, CHANGED",
        "0, false, 1, false, CHANGED", "0, false, 0, true, CHANGED"})
    void everyPartOfTheStateCounts(long subscriptions, boolean isPushOff, long epoch, boolean isBinding,
            Comparison expected) {
        CatalogState read = new CatalogState(5, subscriptions, 0, new Maintenance(isPushOff, false), epoch, isBinding);

        assertThat(read.comparedWith(state(5), 5)).isEqualTo(expected);
    }

    private static CatalogState state(long version) {
        return new CatalogState(version, 0, 0, Maintenance.NONE, 0, false);
    }
}
