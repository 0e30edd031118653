package io.queenmq.bench;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Producers and waiting consumers. The time from push to delivery of each message is measured, and the message is acked. */
final class DeliveryTraffic implements Traffic {
    private static final int POP_BATCH = 100;
    private static final Duration POP_TIMEOUT = Duration.ofSeconds(30);

    private final Load.Delivery load;
    private final ClientLoop loop;
    private final Tally tally;
    private final Duration patience;
    private final Answers answers;
    private final DeliveryOrder order;
    private final PopAnswer messages = new PopAnswer();
    private final SplittableRandom random = new SplittableRandom();
    private final List<Consumer> consumers;
    private final List<Producer> producers;
    /** Used in turn, so that no connection is idle for long. */
    private final Deque<Producer> free = new ArrayDeque<>();
    private long beganNs;
    private long dueCount;
    private long stored;
    private long finished;
    private boolean isStopped = true;

    DeliveryTraffic(Load.Delivery load, ClientLoop loop, String host, QueueNames queues, Tally tally,
            Duration patience) {
        this.load = load;
        this.loop = loop;
        this.tally = tally;
        this.patience = patience;
        this.answers = new Answers(tally);
        this.order = new PartitionOrder(load.queues(), load.producers());
        this.consumers = queues.all().stream().map(queue -> new Consumer(queue, host)).toList();
        this.producers = IntStream.range(0, load.producers()).mapToObj(number -> new Producer(number, host, queues))
                .toList();
    }

    @Override
    public void prepare() {}

    @Override
    public void start() {
        if (isStopped) {
            isStopped = false;
            beganNs = System.nanoTime();
            consumers.forEach(Consumer::pop);
            producers.forEach(Producer::next);
        }
    }

    /** Sends due messages. Without a free producer, a message is sent as soon as one is free. */
    @Override
    public long tick(long nowNs) {
        if (load.perSecond() == 0 || isStopped) {
            return Long.MAX_VALUE;
        }
        long sleepNs = dueNs() - nowNs;
        while (sleepNs <= 0) {
            if (free.isEmpty()) {
                return Long.MAX_VALUE;
            }
            dueCount++;
            free.removeFirst().push();
            sleepNs = dueNs() - nowNs;
        }
        return sleepNs;
    }

    private long dueNs() {
        return beganNs + dueCount * Duration.ofSeconds(1).toNanos() / load.perSecond();
    }

    @Override
    public boolean isExhausted() {
        return false;
    }

    @Override
    public void finish() {
        isStopped = true;
        long deadlineNs = System.nanoTime() + patience.toNanos();
        loop.runUntil(() -> isComplete() || System.nanoTime() - deadlineNs > 0, this);
        if (!isComplete()) {
            tally.error(stored - finished + " of " + stored + " messages were stored and not delivered within "
                    + patience.toSeconds() + " s");
        }
    }

    private boolean isComplete() {
        return finished == stored && producers.stream().noneMatch(each -> each.connection.isBusy());
    }

    private final class Producer implements Connection.Listener {
        private final int number;
        private final Connection connection;
        private final PushRequest push;
        private final long[] sequences = new long[load.queues()];

        Producer(int number, String host, QueueNames queues) {
            this.number = number;
            this.connection = loop.open(this);
            this.push = new PushRequest(host, queues, 1);
        }

        void next() {
            if (load.perSecond() > 0) {
                free.addLast(this);
            } else {
                push();
            }
        }

        void push() {
            int queue = random.nextInt(load.queues());
            push.write(queue, 0, queue, number, sequences[queue]++);
            push.sendOn(connection);
        }

        @Override
        public void onAnswer(HttpAnswer answer) {
            stored += answers.push(answer, 1);
            if (!isStopped) {
                next();
            }
        }
    }

    private final class Consumer implements Connection.Listener {
        private final Connection connection;
        private final byte[] pop;
        private final AckRequest ack;
        private boolean isAcking;

        Consumer(String queue, String host) {
            this.connection = loop.openConsumer(this);
            this.pop = RequestText.get("/api/v1/pop/queue/" + queue + "?batch=" + POP_BATCH + "&wait=true&timeout="
                    + POP_TIMEOUT.toMillis(), host);
            this.ack = new AckRequest(host);
        }

        void pop() {
            isAcking = false;
            connection.send(pop, pop.length);
        }

        @Override
        public void onAnswer(HttpAnswer answer) {
            if (isAcking) {
                int count = answers.ack(answer, ack.count());
                finished += count;
                tally.finished(count);
                pop();
                return;
            }
            int count = answers.pop(answer, messages);
            if (count == 0) {
                pop();
                return;
            }
            receive(count);
            isAcking = true;
            ack.sendOn(connection);
        }

        private void receive(int count) {
            long nowMicros = SendTime.nowMicros();
            ack.clear();
            order.begin(connection.sentNs());
            for (int i = 0; i < count; i++) {
                PopAnswer.Message message = messages.message(i);
                String problem = order.problemWith(message);
                if (problem != null) {
                    tally.error(problem);
                }
                tally.took(nowMicros - message.sentMicros());
                message.appendTo(ack);
            }
        }
    }
}
