package io.queenmq.engine.numbers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gauges, with the samples since the last report. Owned by the engine loop. */
public final class Gauges {
    private final List<Series> all = new ArrayList<>();
    private final Supplier<ProcessUse> processUse;

    /** @param processUse measures the resource usage of this process */
    public Gauges(Supplier<ProcessUse> processUse) {
        this.processUse = processUse;
    }

    ProcessUse processUse() {
        return processUse.get();
    }

    /** Adds a gauge that reads the source at every sample. */
    public void add(String name, DoubleSupplier source) {
        all.add(new Series(name, source));
    }

    /** Adds a gauge whose samples the caller records. */
    Series add(String name) {
        Series series = new Series(name, null);
        all.add(series);
        return series;
    }

    void sample() {
        for (Series series : all) {
            if (series.source != null) {
                series.sample(series.source.getAsDouble());
            }
        }
    }

    /** Returns the gauges with samples since the last call, and removes the samples. */
    List<Measured> take() {
        List<Measured> taken = new ArrayList<>(all.size());
        for (Series series : all) {
            if (series.samples > 0) {
                taken.add(new Measured(series.name, series.samples, series.sum, series.min, series.max, series.last));
                series.clear();
            }
        }
        return taken;
    }

    record Measured(String name, long samples, double sum, double min, double max, double last) {}

    /** One gauge. */
    static final class Series {
        private final String name;
        private final @Nullable DoubleSupplier source;
        private long samples;
        private double sum;
        private double min;
        private double max;
        private double last;

        private Series(String name, @Nullable DoubleSupplier source) {
            this.name = name;
            this.source = source;
        }

        void sample(double value) {
            min = samples == 0 ? value : Math.min(min, value);
            max = samples == 0 ? value : Math.max(max, value);
            samples++;
            sum += value;
            last = value;
        }

        private void clear() {
            samples = 0;
            sum = 0;
        }
    }
}
