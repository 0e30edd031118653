package io.queenmq.bench;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Pushes at full speed. Each partition receives one message before the measurement, so that its creation is not measured. */
final class PushTraffic implements Traffic {
    private final Load.Push load;
    private final ClientLoop loop;
    private final Tally tally;
    private final Answers answers;
    private final SplittableRandom random = new SplittableRandom();
    private final List<Producer> producers;
    private int partitionsTouched;
    private boolean isStopped = true;

    PushTraffic(Load.Push load, ClientLoop loop, String host, QueueNames queues, Tally tally) {
        this.load = load;
        this.loop = loop;
        this.tally = tally;
        this.answers = new Answers(tally);
        this.producers = IntStream.range(0, load.connections()).mapToObj(number -> new Producer(number, host, queues))
                .toList();
    }

    @Override
    public void prepare() {
        if (partitionsTouched < load.partitions()) {
            producers.forEach(Producer::touch);
            loop.runUntil(loop::isQuiet, this);
        }
    }

    @Override
    public void start() {
        isStopped = false;
        producers.forEach(Producer::pushIfFree);
    }

    @Override
    public long tick(long nowNs) {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isExhausted() {
        return false;
    }

    @Override
    public void finish() {
        isStopped = true;
        loop.runUntil(loop::isQuiet, this);
    }

    private final class Producer implements Connection.Listener {
        private final int number;
        private final Connection connection;
        private final PushRequest single;
        private final PushRequest batch;
        private PushRequest sent;
        private long sequence;

        Producer(int number, String host, QueueNames queues) {
            this.number = number;
            this.connection = loop.open(this);
            this.single = new PushRequest(host, queues, 1);
            this.batch = new PushRequest(host, queues, load.batch());
            this.sent = single;
        }

        void touch() {
            if (partitionsTouched < load.partitions()) {
                send(single, partitionsTouched++);
            }
        }

        void pushIfFree() {
            if (!connection.isBusy()) {
                send(batch, random.nextInt(load.partitions()));
            }
        }

        private void send(PushRequest request, int partition) {
            sent = request;
            request.write(0, partition, partition, number, sequence);
            sequence += request.count();
            request.sendOn(connection);
        }

        @Override
        public void onAnswer(HttpAnswer answer) {
            int stored = answers.push(answer, sent.count());
            tally.took((System.nanoTime() - connection.sentNs()) / 1_000);
            if (sent == single && isStopped) {
                touch();
                return;
            }
            tally.finished(stored);
            if (!isStopped) {
                pushIfFree();
            }
        }
    }
}
