package io.queenmq.server.catalog;

import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import io.queenmq.server.wave.Carrier;
import io.queenmq.server.wave.Operation;
import io.queenmq.server.wave.WaveMeters;
import io.queenmq.server.wave.Waves;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The queues there are, as this server knows them: its own changes at once, those of other servers within a second.
 * Owned by the engine loop.
 */
public final class Catalog {
    private static final long LOOK_EVERY_NS = 1_000_000_000;

    private final QueueRoutines routines;
    private final Timers timers;
    private final Waves<Creation> creations;
    private final Waves<ConfigureCommand> configurations;
    private final Waves<DeleteQueueCommand> deletions;
    private final Waves<Look> looks;
    private final Map<String, Queue> byName = new HashMap<>();
    private final Map<String, List<Reply<Queue>>> creating = new HashMap<>();
    private final List<Consumer<String>> listeners = new ArrayList<>();
    private long version = -1;

    public Catalog(String apiSchema, Links links, Timers timers, EngineConfig config, WaveMeters meters) {
        this.routines = new QueueRoutines(apiSchema);
        this.timers = timers;
        this.creations = new Waves<>(Operation.CREATE_QUEUE, links, timers, config, meters, new CreationCarrier());
        this.configurations = new Waves<>(Operation.CONFIGURE, links, timers, config, meters, new ConfigureCarrier());
        this.deletions = new Waves<>(Operation.DELETE_QUEUE, links, timers, config, meters, new DeletionCarrier());
        this.looks = new Waves<>(Operation.CATALOG, links, timers, config, meters, new LookCarrier());
    }

    /** Reads all queues, and goes on looking for changes. */
    public void open(Reply<Void> reply) {
        looks.offer(new Look(Reply.of(done -> {
            reply.succeed(done);
            lookLater();
        }, failure -> {
            reply.fail(failure);
            lookLater();
        })));
    }

    private void lookLater() {
        timers.after(LOOK_EVERY_NS, () -> open(Reply.ignored()));
    }

    /** Called with a queue's name whenever it was created, changed or deleted. */
    public void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** The queue, or null when there is none that this server knows of. */
    public Queue find(String name) {
        return byName.get(name);
    }

    public Collection<Queue> all() {
        return byName.values();
    }

    /** The queue of that name, created with default options if need be. */
    public void require(String name, Reply<Queue> reply) {
        Queue known = byName.get(name);
        if (known != null) {
            reply.succeed(known);
            return;
        }
        List<Reply<Queue>> waiting = creating.get(name);
        if (waiting != null) {
            waiting.add(reply);
            return;
        }
        creating.put(name, new ArrayList<>(List.of(reply)));
        creations.offer(Creation.of(name));
    }

    public void configure(ConfigureCommand command) {
        configurations.offer(command);
    }

    public void delete(DeleteQueueCommand command) {
        deletions.offer(command);
    }

    /** Looks at once whether something has changed, for whoever knows that it has. */
    public void lookNow() {
        looks.offer(new Look(Reply.ignored()));
    }

    /** Forgets a queue that turned out to be deleted. */
    public void forget(Queue queue) {
        if (byName.remove(queue.name(), queue)) {
            announce(queue.name());
        }
    }

    private void put(Queue queue) {
        if (!queue.equals(byName.put(queue.name(), queue))) {
            announce(queue.name());
        }
    }

    private void announce(String name) {
        for (Consumer<String> listener : listeners) {
            listener.accept(name);
        }
    }

    private void replaceAll(Map<String, Queue> queues) {
        List<Queue> gone = byName.values().stream().filter(queue -> !queues.containsKey(queue.name())).toList();
        gone.forEach(this::forget);
        queues.values().forEach(this::put);
    }

    /** A queue to be created because somebody pushes to it. */
    private record Creation(String name, String namespace, String task) {
        /** An unconfigured queue is filed by its name: namespace.task.rest */
        static Creation of(String name) {
            String[] parts = name.split("\\.", -1);
            return new Creation(name, parts[0], parts.length > 1 ? parts[1] : "");
        }
    }

    private record Look(Reply<Void> reply) {}

    private final class CreationCarrier implements Carrier<Creation> {
        @Override
        public Future<Void> carry(Link link, List<Creation> wave) {
            return routines.create(link, wave.stream().map(Creation::name).toList(),
                    wave.stream().map(Creation::namespace).toList(), wave.stream().map(Creation::task).toList())
                    .map(queues -> {
                        for (Queue queue : queues) {
                            put(queue);
                        }
                        for (Creation creation : wave) {
                            Queue queue = byName.get(creation.name);
                            if (queue == null) {
                                // Somebody deleted it between the two looks of the routine.
                                creations.offer(creation);
                            } else {
                                creating.remove(creation.name).forEach(reply -> reply.succeed(queue));
                            }
                        }
                        return null;
                    });
        }

        @Override
        public void refuse(Creation creation, Failure failure) {
            creating.remove(creation.name).forEach(reply -> reply.fail(failure));
        }
    }

    private final class ConfigureCarrier implements Carrier<ConfigureCommand> {
        @Override
        public Future<Void> carry(Link link, List<ConfigureCommand> wave) {
            ConfigureCommand command = wave.getFirst();
            return routines.configure(link, command).map(queue -> {
                put(queue);
                command.reply().succeed(queue);
                return null;
            });
        }

        @Override
        public void refuse(ConfigureCommand command, Failure failure) {
            command.reply().fail(failure);
        }
    }

    private final class DeletionCarrier implements Carrier<DeleteQueueCommand> {
        @Override
        public Future<Void> carry(Link link, List<DeleteQueueCommand> wave) {
            DeleteQueueCommand command = wave.getFirst();
            return routines.delete(link, command.queue()).map(existed -> {
                Queue known = byName.get(command.queue());
                if (known != null) {
                    forget(known);
                }
                command.reply().succeed(existed);
                return null;
            });
        }

        @Override
        public void refuse(DeleteQueueCommand command, Failure failure) {
            command.reply().fail(failure);
        }
    }

    private final class LookCarrier implements Carrier<Look> {
        @Override
        public Future<Void> carry(Link link, List<Look> wave) {
            return routines.version(link).compose(now -> {
                if (now == version) {
                    return Future.succeededFuture();
                }
                return routines.all(link).map(queues -> {
                    // Of two looks under way at once, the later one may be answered first.
                    if (now > version) {
                        version = now;
                        replaceAll(queues);
                    }
                    return null;
                });
            }).map(_ -> {
                wave.getFirst().reply.succeed(null);
                return null;
            });
        }

        @Override
        public void refuse(Look look, Failure failure) {
            look.reply.fail(failure);
        }
    }
}
