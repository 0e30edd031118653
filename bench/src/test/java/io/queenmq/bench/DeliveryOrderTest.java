package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DeliveryOrderTest {
    private static final int PARTITION = 1;
    private static final String WRONG = "partition 1: message %d was delivered instead of %d";

    @Nested
    class OneAfterTheOther {
        private final DeliveryOrder order = new PartitionOrder(2, 2);

        @Test
        void messagesOfAProducerMustArriveInOrder() {
            assertThat(problems(order, 0, 0, 1)).isEmpty();
            assertThat(problems(order, 0, 2)).isEmpty();
        }

        @Test
        void producersDoNotWaitForEachOther() {
            assertThat(problems(order, 0, 0, 1)).isEmpty();
            assertThat(problemsOf(order, 0, id(PARTITION, 1, 0), id(0, 0, 0))).isEmpty();
        }

        @Test
        void aGapAndAStepBackAreDifferentErrors() {
            assertThat(problems(order, 0, 0, 2, 3)).containsExactly(WRONG.formatted(2, 1));
            assertThat(problems(order, 0, 1)).containsExactly(WRONG.formatted(1, 4));
            assertThat(problems(order, 0, 4)).isEmpty();
        }

        @Test
        void aMessageThatWasNotSentIsAnError() {
            assertThat(problemsOf(order, 0, id(2, 0, 0), id(0, 2, 0), "order-1")).hasSize(3)
                    .containsOnly(DeliveryOrder.NOT_SENT);
        }
    }

    @Nested
    class Overtaking {
        private final DeliveryOrder order = new OvertakingOrder(2);

        @Test
        void partsOfConcurrentRequestsMayArriveInAnyOrder() {
            long sentNs = System.nanoTime();
            assertThat(problems(order, sentNs, 2, 3)).isEmpty();
            assertThat(problems(order, sentNs, 0, 1)).isEmpty();
            assertThat(problems(order, System.nanoTime(), 4)).isEmpty();
        }

        @Test
        void anEarlierPartOfALaterRequestIsAnError() {
            assertThat(problems(order, System.nanoTime(), 2, 3)).isEmpty();
            assertThat(problems(order, System.nanoTime(), 0)).containsExactly(WRONG.formatted(0, 0));
        }

        @Test
        void insideAnAnswerTheOrderIsStrict() {
            assertThat(problems(order, System.nanoTime(), 1, 0, 2)).isNotEmpty();
        }

        @Test
        void aMissingMessageIsLostWhenNoRequestIsInFlight() {
            assertThat(problems(order, System.nanoTime(), 0)).isEmpty();
            assertThat(problems(order, System.nanoTime(), 3)).isEmpty();
            assertThat(order.passedOver())
                    .containsExactly("partition 1: messages 1 to 2 were not delivered, but later ones were");
            assertThat(order.passedOver()).isEmpty();
            assertThat(problems(order, System.nanoTime(), 4)).isEmpty();
        }

        @Test
        void aRepeatedMessageIsAnError() {
            long sentNs = System.nanoTime();
            assertThat(problems(order, sentNs, 0, 1)).isEmpty();
            assertThat(problems(order, sentNs, 1)).containsExactly(WRONG.formatted(1, 2));
            assertThat(problems(order, sentNs, 5)).isEmpty();
            assertThat(problems(order, sentNs, 5)).containsExactly(WRONG.formatted(5, 2));
        }
    }

    private static List<String> problems(DeliveryOrder order, long sentNs, long... sequences) {
        return problemsOf(order, sentNs,
                LongStream.of(sequences).mapToObj(sequence -> id(PARTITION, 0, sequence)).toArray(String[]::new));
    }

    private static List<String> problemsOf(DeliveryOrder order, long sentNs, String... transactionIds) {
        String messages = List.of(transactionIds).stream().map(id -> "{\"transactionId\":\"" + id + "\"}")
                .collect(Collectors.joining(","));
        byte[] body = ("{\"messages\":[" + messages + "]}").getBytes(StandardCharsets.UTF_8);
        PopAnswer answer = new PopAnswer();
        assertThat(answer.read(body, 0, body.length)).isTrue();
        List<String> problems = new ArrayList<>();
        order.begin(sentNs);
        for (int i = 0; i < answer.count(); i++) {
            String problem = order.problemWith(answer.message(i));
            if (problem != null) {
                problems.add(problem);
            }
        }
        return problems;
    }

    private static String id(int partition, int producer, long sequence) {
        return "%08x-%04x-7000-8000-%012x".formatted(partition, producer, sequence);
    }
}
