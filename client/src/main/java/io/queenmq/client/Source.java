package io.queenmq.client;

import io.queenmq.client.wire.Endpoints;
import io.queenmq.client.wire.Names;
import org.jspecify.annotations.Nullable;

/** Where messages are popped from. */
sealed interface Source {
    String path();

    /** Decides which server is asked first. */
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

    /** All queues of a namespace and task; an empty one of the two stands for any. */
    record Filter(String namespace, String task) implements Source {
        public Filter {
            if (namespace.isEmpty() && task.isEmpty()) {
                throw new IllegalArgumentException("namespace or task must be given");
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
