package io.queenmq.bench;

/** What a scenario does, in numbers. */
sealed interface Load {
    /** How many queues it needs. */
    default int queues() {
        return 1;
    }

    /** How often at most it is prepared and exhausted in one phase. */
    default int roundsMax() {
        return 1;
    }

    /** Whose duration p50 and p99 are. */
    String latency();

    /** Each connection pushes {@code batch} messages to a partition at random, waits for the answer, and pushes again. */
    record Push(int partitions, int batch, int connections) implements Load {
        @Override
        public String latency() {
            return "push answered";
        }
    }

    /**
     * Every partition is filled, then the connections pop until nothing is left, and so on until the time is over.
     *
     * @param isAcked ack what came, rather than autoAck
     * @param isPartitionNamed each connection pops from a partition of its own, rather than from any
     */
    record Drain(int partitions, int messagesPerPartition, int batch, int connections, boolean isAcked,
            boolean isPartitionNamed)
            implements
                Load {
        /** So much is stored in one phase at most, however fast the server is: it takes room on a disk. */
        private static final int MESSAGES_MAX = 2_000_000;

        /** Messages in one request that fills a partition. */
        private static final int FILL_BATCH_MAX = 100;

        public Drain {
            if (isPartitionNamed && partitions != connections) {
                throw new IllegalArgumentException("each connection has one partition");
            }
            if (messagesPerPartition > FILL_BATCH_MAX && messagesPerPartition % FILL_BATCH_MAX != 0) {
                throw new IllegalArgumentException("a partition is filled by requests of " + FILL_BATCH_MAX);
            }
        }

        int fillBatch() {
            return Math.min(FILL_BATCH_MAX, messagesPerPartition);
        }

        @Override
        public int roundsMax() {
            return Math.max(1, MESSAGES_MAX / (partitions * messagesPerPartition));
        }

        @Override
        public String latency() {
            return "pop answered";
        }
    }

    /**
     * Each queue has one partition and one consumer, which waits for messages and acks what comes; the producers push single
     * messages to a queue at random.
     *
     * @param perSecond messages pushed a second; 0 for as many as the producers can
     */
    record Delivery(int queues, int producers, int perSecond) implements Load {
        @Override
        public String latency() {
            return "push sent to message received";
        }
    }
}
