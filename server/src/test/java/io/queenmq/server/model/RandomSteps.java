package io.queenmq.server.model;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Generates random steps: mostly pops and acks, and mostly for the latest batch. */
final class RandomSteps {
    private static final int STEPS_MAX = 50;
    private static final int WORDS_MAX = 5;
    private static final int BATCHES_BACK_MAX = 10;

    private final SplittableRandom random;

    RandomSteps(long seed) {
        this.random = new SplittableRandom(seed);
    }

    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (int i = upTo(STEPS_MAX); i > 0; i--) {
            steps.add(step());
        }
        return steps;
    }

    private Step step() {
        int kind = random.nextInt(25);
        if (kind < 4) {
            return new Step.Push(server(), partition(), random.nextInt(1, 5), upTo(1));
        }
        if (kind < 12) {
            return new Step.Pop(server(), group(), upTo(ModelComparison.PARTITIONS), random.nextInt(1, 6),
                    random.nextInt(1, 3), oneIn(5));
        }
        if (kind < 19) {
            return new Step.Ack(server(), batch(), words(), oneIn(5), !oneIn(5));
        }
        if (kind < 21) {
            return new Step.Transact(server(), batch(), words(), partition(), upTo(2));
        }
        if (kind < 22) {
            return new Step.Renew(server(), batch());
        }
        return new Step.Expire(group(), partition());
    }

    private int server() {
        return upTo(1);
    }

    private int partition() {
        return random.nextInt(ModelComparison.PARTITIONS);
    }

    private int group() {
        return random.nextInt(ModelComparison.GROUPS.size());
    }

    private int batch() {
        return random.nextInt(5) < 3 ? 0 : upTo(BATCHES_BACK_MAX);
    }

    private List<Status> words() {
        List<Status> words = new ArrayList<>();
        for (int i = random.nextInt(1, WORDS_MAX + 1); i > 0; i--) {
            words.add(random.nextInt(10) < 3 ? null : status());
        }
        return words;
    }

    private Status status() {
        return switch (random.nextInt(10)) {
            case 0 -> Status.RETRY;
            case 1 -> Status.DLQ;
            case 2, 3 -> Status.FAILED;
            default -> Status.COMPLETED;
        };
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    /** Returns a number from 0 to {@code max}, inclusive. */
    int upTo(int max) {
        return random.nextInt(max + 1);
    }
}
