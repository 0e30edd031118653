package io.queenmq.client;

import io.queenmq.client.wire.Endpoints;
import io.queenmq.client.wire.Names;
import org.jspecify.annotations.Nullable;

/** A source of pops: a queue, a partition or several queues. */
sealed interface Source {
    String path();

    /** Returns the key that selects the preferred server. */
    String affinity(@Nullable String group);

    record Queue(String queue) implements Source {
        @Override
        public String path() {
            return "/api/v1/pop/queue/" + Names.encode(queue) + "?";
        }

        @Override
        public String affinity(@Nullable String group) {
            return Endpoints.affinity(queue, null, group);
        }

        @Override
        public String toString() {
            return queue;
        }
    }

    record Partition(String queue, String partition) implements Source {
        @Override
        public String path() {
            return "/api/v1/pop/queue/" + Names.encode(queue) + "/partition/" + Names.encode(partition) + "?";
        }

        @Override
        public String affinity(@Nullable String group) {
            return Endpoints.affinity(queue, partition, group);
        }

        @Override
        public String toString() {
            return queue + "/" + partition;
        }
    }

    /** All queues of a namespace and task. An empty one of the two matches all. */
    record Filter(String namespace, String task) implements Source {
        public Filter {
            if (namespace.isEmpty() && task.isEmpty()) {
                throw new IllegalArgumentException("namespace and task are both empty; set at least one");
            }
        }

        @Override
        public String path() {
            return "/api/v1/pop?" + (namespace.isEmpty() ? "" : "namespace=" + Names.encode(namespace) + "&")
                    + (task.isEmpty() ? "" : "task=" + Names.encode(task) + "&");
        }

        @Override
        public String affinity(@Nullable String group) {
            return Endpoints.affinity(namespace + "." + task, null, group);
        }

        @Override
        public String toString() {
            return namespace + "." + task;
        }
    }
}
