/** How commands speak: tables, JSON, YAML, colours, progress. Knows nothing of Queen. */
package io.queenmq.cli.output;
