/** The servers under test: PostgreSQL, server processes and the TCP proxies between them. */
@NullMarked
package io.queenmq.verify.cluster;

import org.jspecify.annotations.NullMarked;
