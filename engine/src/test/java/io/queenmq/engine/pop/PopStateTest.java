package io.queenmq.engine.pop;

import static io.queenmq.engine.pop.PopState.COMPLETED;
import static io.queenmq.engine.pop.PopState.EMPTY;
import static io.queenmq.engine.pop.PopState.FAILED;
import static io.queenmq.engine.pop.PopState.FETCHING;
import static io.queenmq.engine.pop.PopState.LEASING;
import static io.queenmq.engine.pop.PopState.PENDING;
import static io.queenmq.engine.pop.PopState.RESOLVING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PopStateTest {
    /** All there is: what is not here is not allowed. */
    private static final Map<PopState, Set<PopState>> ALLOWED = Map.of(
            PENDING, EnumSet.of(RESOLVING, LEASING, EMPTY, FAILED),
            RESOLVING, EnumSet.of(LEASING, FETCHING, EMPTY, FAILED),
            LEASING, EnumSet.of(RESOLVING, FETCHING, EMPTY, FAILED),
            FETCHING, EnumSet.of(COMPLETED, EMPTY, FAILED),
            COMPLETED, EnumSet.noneOf(PopState.class),
            EMPTY, EnumSet.of(PENDING),
            FAILED, EnumSet.noneOf(PopState.class));

    @ParameterizedTest
    @EnumSource
    void aPopGoesNowhereElse(PopState from) {
        Set<PopState> reachable = EnumSet.allOf(PopState.class).stream().filter(from::canBecome)
                .collect(Collectors.toSet());

        assertThat(reachable).isEqualTo(ALLOWED.get(from));
    }

    @Test
    void everyStateIsReachedAndFromEveryOneAPopCanEnd() {
        Set<PopState> reached = EnumSet.of(PENDING);
        boolean isGrowing = true;
        while (isGrowing) {
            isGrowing = reached.addAll(EnumSet.allOf(PopState.class).stream()
                    .filter(to -> Set.copyOf(reached).stream().anyMatch(from -> from.canBecome(to))).toList());
        }

        assertThat(reached).containsExactlyInAnyOrder(PopState.values());
        for (PopState state : EnumSet.complementOf(EnumSet.of(COMPLETED, EMPTY, FAILED))) {
            assertThat(state.canBecome(EMPTY)).as(state + " to EMPTY").isTrue();
            assertThat(state.canBecome(FAILED)).as(state + " to FAILED").isTrue();
        }
    }

    @Test
    void messagesAreReadOnlyAfterSomethingWasLeased() {
        assertThat(PENDING.canBecome(FETCHING)).isFalse();
        assertThat(EnumSet.allOf(PopState.class).stream().filter(from -> from.canBecome(COMPLETED)))
                .containsExactly(FETCHING);
    }

    @Test
    void onlyOneThatFoundNothingStartsAgain() {
        assertThat(EnumSet.allOf(PopState.class).stream().filter(from -> from.canBecome(PENDING)))
                .containsExactly(EMPTY);
    }
}
