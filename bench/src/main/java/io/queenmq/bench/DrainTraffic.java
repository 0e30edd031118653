package io.queenmq.bench;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/** Fills the partitions and pops all messages. */
final class DrainTraffic implements Traffic {
    /** Pause of a connection after an empty pop. Near the end other connections have leases of most partitions. */
    private static final long RETRY_NS = Duration.ofMillis(10).toNanos();

    private final Load.Drain load;
    private final ClientLoop loop;
    private final Tally tally;
    private final Duration patience;
    private final Answers answers;
    private final DeliveryOrder order;
    private final PopAnswer messages = new PopAnswer();
    private final List<Drainer> drainers;
    /** All pauses have the same length, so the first connection is due first. */
    private final Deque<Drainer> retrying = new ArrayDeque<>();
    /** Messages pushed to each partition, and received from it. */
    private final long[] stored;
    private final long[] received;
    private long storedEver;
    private long finished;
    private long progressNs;
    private int partitionsFilled;
    private boolean isStopped = true;

    DrainTraffic(Load.Drain load, ClientLoop loop, String host, QueueNames queues, Tally tally, Duration patience) {
        this.load = load;
        this.loop = loop;
        this.tally = tally;
        this.patience = patience;
        this.answers = new Answers(tally);
        // With acks a connection has a lease. With named partitions each connection has its own.
        this.order = load.isAcked() || load.isPartitionNamed()
                ? new PartitionOrder(load.partitions(), 1)
                : new OvertakingOrder(load.partitions());
        this.stored = new long[load.partitions()];
        this.received = new long[load.partitions()];
        this.drainers = IntStream.range(0, load.connections()).mapToObj(number -> new Drainer(number, host, queues))
                .toList();
    }

    @Override
    public void prepare() {
        finish();
        partitionsFilled = 0;
        drainers.forEach(Drainer::fillNextPartition);
        loop.runUntil(loop::isQuiet, ClientLoop.Tick.NOTHING);
    }

    @Override
    public void start() {
        isStopped = false;
        progressNs = System.nanoTime();
        drainers.forEach(Drainer::popIfFree);
    }

    @Override
    public long tick(long nowNs) {
        if (nowNs - progressNs > patience.toNanos()) {
            throw new BenchAbortedException("no message was delivered for " + patience.toSeconds() + " s, although "
                    + (storedEver - finished) + " of " + storedEver + " are not finished");
        }
        while (!retrying.isEmpty() && retrying.getFirst().retryNs - nowNs <= 0) {
            retrying.removeFirst().popIfFree();
        }
        return retrying.isEmpty() ? Long.MAX_VALUE : retrying.getFirst().retryNs - nowNs;
    }

    @Override
    public boolean isExhausted() {
        return finished >= storedEver;
    }

    @Override
    public void finish() {
        isStopped = true;
        retrying.clear();
        loop.runUntil(loop::isQuiet, ClientLoop.Tick.NOTHING);
        order.passedOver().forEach(tally::error);
    }

    private enum Request {
        FILL,
        POP,
        ACK
    }

    private final class Drainer implements Connection.Listener {
        private final int number;
        private final Connection connection;
        private final PushRequest fill;
        private final byte[] pop;
        private final AckRequest ack;
        private Request request = Request.FILL;
        private int partition;
        private long partitionEnd;
        private long retryNs;

        Drainer(int number, String host, QueueNames queues) {
            this.number = number;
            this.connection = loop.open(this);
            this.fill = new PushRequest(host, queues, load.fillBatch());
            this.pop = RequestText.get("/api/v1/pop/queue/" + queues.name(0)
                    + (load.isPartitionNamed() ? "/partition/" + PushRequest.partitionName(number) : "") + "?batch="
                    + load.batch() + (load.isAcked() ? "" : "&autoAck=true"), host);
            this.ack = new AckRequest(host);
        }

        /** A partition is filled by one connection, so that its messages are in order. */
        void fillNextPartition() {
            if (partitionsFilled < load.partitions()) {
                partition = partitionsFilled++;
                partitionEnd = stored[partition] + load.messagesPerPartition();
                fillMore();
            }
        }

        private void fillMore() {
            request = Request.FILL;
            fill.write(0, partition, partition, 0, stored[partition]);
            fill.sendOn(connection);
        }

        void popIfFree() {
            if (connection.isBusy() || load.isPartitionNamed() && received[number] == stored[number]) {
                return;
            }
            request = Request.POP;
            connection.send(pop, pop.length);
        }

        @Override
        public void onAnswer(HttpAnswer answer) {
            switch (request) {
                case FILL -> onFilled(answer);
                case POP -> onPopped(answer);
                case ACK -> onAcked(answer);
            }
        }

        private void onFilled(HttpAnswer answer) {
            if (answers.push(answer, fill.count()) != fill.count()) {
                throw new BenchAbortedException("the partitions could not be filled");
            }
            stored[partition] += fill.count();
            storedEver += fill.count();
            if (stored[partition] < partitionEnd) {
                fillMore();
            } else {
                fillNextPartition();
            }
        }

        private void onPopped(HttpAnswer answer) {
            int count = answers.pop(answer, messages);
            if (count == 0) {
                onNothing(answer);
                return;
            }
            tally.took((System.nanoTime() - connection.sentNs()) / 1_000);
            progressNs = System.nanoTime();
            ack.clear();
            check(count);
            if (load.isAcked()) {
                request = Request.ACK;
                ack.sendOn(connection);
            } else {
                end(count);
            }
        }

        private void check(int count) {
            PopAnswer.Message first = messages.message(0);
            int from = first.stream();
            boolean isKnown = first.isOurs() && from < load.partitions();
            long due = isKnown ? Math.min(load.batch(), stored[from] - first.sequence()) : 0;
            if (count < due) {
                tally.error("pop: " + count + " messages where " + due + " were due from partition " + from);
            }
            order.begin(connection.sentNs());
            for (int i = 0; i < count; i++) {
                PopAnswer.Message message = messages.message(i);
                String problem = order.problemWith(message);
                if (problem != null) {
                    tally.error(problem);
                } else {
                    received[message.stream()]++;
                }
                if (load.isAcked()) {
                    message.appendTo(ack);
                }
            }
        }

        /** Other connections may have leases of the last partitions, but only one connection pops from a named partition. */
        private void onNothing(HttpAnswer answer) {
            if (load.isPartitionNamed()) {
                tally.error("pop: empty response, although partition " + number + " holds "
                        + (stored[number] - received[number]) + " messages: " + answer);
            }
            if (!isStopped) {
                retryNs = System.nanoTime() + RETRY_NS;
                retrying.addLast(this);
            }
        }

        private void onAcked(HttpAnswer answer) {
            end(answers.ack(answer, ack.count()));
        }

        private void end(int count) {
            tally.finished(count);
            finished += count;
            if (!isStopped && !isExhausted()) {
                popIfFree();
            }
        }
    }
}
