/** The report of a run as Markdown and as one HTML page. */
@NullMarked
package io.queenmq.verify.report;

import org.jspecify.annotations.NullMarked;
