package io.queenmq.engine.pop;

import static io.queenmq.engine.pop.PopState.DELIVERED;
import static io.queenmq.engine.pop.PopState.EMPTY;
import static io.queenmq.engine.pop.PopState.FAILED;
import static io.queenmq.engine.pop.PopState.FETCHING;
import static io.queenmq.engine.pop.PopState.LEASING;
import static io.queenmq.engine.pop.PopState.RUNNABLE;
import static io.queenmq.engine.pop.PopState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.reply.Reply;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PopStateTest {
    /** All allowed transitions. */
    private static final Map<PopState, Set<PopState>> ALLOWED = Map.of(RUNNABLE,
            EnumSet.of(WAITING, LEASING, FETCHING, EMPTY, FAILED), WAITING, EnumSet.of(RUNNABLE), LEASING,
            EnumSet.of(RUNNABLE), FETCHING, EnumSet.of(DELIVERED, RUNNABLE), DELIVERED, EnumSet.noneOf(PopState.class),
            EMPTY, EnumSet.noneOf(PopState.class), FAILED, EnumSet.noneOf(PopState.class));

    @ParameterizedTest
    @EnumSource
    void noOtherTransitionIsAllowed(PopState from) {
        Set<PopState> reachable = EnumSet.allOf(PopState.class).stream().filter(from::canBecome)
                .collect(Collectors.toSet());

        assertThat(reachable).isEqualTo(ALLOWED.get(from));
    }

    @Test
    void everyStateIsReachableAndLeadsToAnEnd() {
        Set<PopState> reached = EnumSet.of(RUNNABLE);
        boolean isGrowing = true;
        while (isGrowing) {
            isGrowing = reached.addAll(EnumSet.allOf(PopState.class).stream()
                    .filter(to -> Set.copyOf(reached).stream().anyMatch(from -> from.canBecome(to))).toList());
        }

        assertThat(reached).containsExactlyInAnyOrder(PopState.values());
        for (PopState state : EnumSet.complementOf(EnumSet.of(RUNNABLE, DELIVERED, EMPTY, FAILED))) {
            assertThat(state.canBecome(RUNNABLE)).as(state + " to RUNNABLE").isTrue();
        }
        assertThat(RUNNABLE.canBecome(EMPTY)).isTrue();
        assertThat(RUNNABLE.canBecome(FAILED)).isTrue();
    }

    @Test
    void messagesAreDeliveredOnlyAfterFetching() {
        assertThat(EnumSet.allOf(PopState.class).stream().filter(from -> from.canBecome(DELIVERED)))
                .containsExactly(FETCHING);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestIsOpenUntilNoStateFollows(PopState state) {
        assertThat(state.isOpen()).isEqualTo(EnumSet.allOf(PopState.class).stream().anyMatch(state::canBecome));
    }

    @Test
    void anIllegalTransitionThrowsAlsoWithoutAssertions() {
        PopCommand command = new PopCommand(new PopCommand.Source.Queue("orders"), "billing", 1, 1, false,
                Duration.ZERO, 0, Subscription.ALL, () -> false, Reply.ignored());
        Pop pop = new Pop(command, 0, 0);
        pop.become(EMPTY);

        assertThatThrownBy(() -> pop.become(FAILED)).isInstanceOf(IllegalStateException.class)
                .hasMessage("a pop in state EMPTY cannot become FAILED");
    }
}
