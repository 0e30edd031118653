package io.queenmq.engine.unit;

import io.queenmq.engine.ack.AckSorter;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.push.PushBundles;
import io.queenmq.engine.push.PushStorage;

/** The parts of the engine that units of work need. */
public record UnitParts(Catalog catalog, AckSorter acks, PushBundles bundles, PushStorage storage, Leases leases,
        Arrivals arrivals, Numbers numbers) {}
