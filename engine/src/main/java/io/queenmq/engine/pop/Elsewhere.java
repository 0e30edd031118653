package io.queenmq.engine.pop;

import io.queenmq.engine.partition.Arrivals;

/** Other servers on the same database, as far as the pop room has to do with them: what happens here is told there. */
public interface Elsewhere extends Arrivals {
    /** One more queue is read here. */
    void interestsChanged();
}
