package io.queenmq.bench;

/** The parameters of a scenario. */
sealed interface Load {
    /** Returns the number of queues. */
    default int queues() {
        return 1;
    }

    /** Returns the maximum number of rounds in one phase. */
    default int roundsMax() {
        return 1;
    }

    /** Returns the measured interval of p50 and p99. */
    String latency();

    /** Each connection pushes {@code batch} messages to a partition at random, waits for the answer, and pushes again. */
    record Push(int partitions, int batch, int connections) implements Load {
        @Override
        public String latency() {
            return "push answered";
        }
    }

    /**
     * Rounds: all partitions are filled, then the connections pop until all are empty.
     *
     * @param isAcked true for acks, false for autoAck
     * @param isPartitionNamed true if each connection pops from its own partition
     */
    record Drain(int partitions, int messagesPerPartition, int batch, int connections, boolean isAcked,
            boolean isPartitionNamed) implements Load {
        /** Maximum number of messages that are stored in one phase, to limit the disk space. */
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
     * Each queue has one partition and one consumer, which waits for messages and acks them. Producers push single messages to
     * random queues.
     *
     * @param perSecond pushed messages per second; 0 for no limit
     */
    record Delivery(int queues, int producers, int perSecond) implements Load {
        @Override
        public String latency() {
            return "push sent to message received";
        }
    }
}
