/** The connector {@code queen} of SmallRye Reactive Messaging, for Quarkus and other runtimes. */
@NullMarked
package io.queenmq.smallrye;

import org.jspecify.annotations.NullMarked;
