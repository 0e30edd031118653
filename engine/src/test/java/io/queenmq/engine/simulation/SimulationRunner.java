package io.queenmq.engine.simulation;

import ch.qos.logback.classic.Level;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the simulation in a plain JVM, without logging, which costs most of the time of a test. Exits with 1 if a seed or a test
 * fails.
 *
 * <pre>
 * SimulationRunner seeds FIRST LAST     plays these seeds until one fails
 * SimulationRunner new MINUTES          plays new seeds for that time, like SimulationTest.guaranteesHoldForNewSeeds
 * SimulationRunner test CLASS#METHOD    runs a test method
 * </pre>
 */
final class SimulationRunner {
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final int REPORT_EVERY = 100;

    private SimulationRunner() {}

    public static void main(String[] arguments) throws ClassNotFoundException {
        for (String logger : List.of(Logger.ROOT_LOGGER_NAME, "io.queenmq.engine.connection")) {
            ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(logger)).setLevel(Level.OFF);
        }
        boolean isPassed = switch (arguments[0]) {
            case "seeds" -> playSeeds(Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
            case "new" -> playNew(Long.parseLong(arguments[1]) * MINUTE_NS);
            case "test" -> runTest(arguments[1].split("#"));
            default -> throw new IllegalArgumentException(arguments[0] + " is not one of: seeds, new, test");
        };
        System.exit(isPassed ? 0 : 1);
    }

    private static boolean playSeeds(long first, long last) {
        for (long seed = first; seed <= last; seed++) {
            // The last line names the seed, even if it does not end.
            System.out.println("playing seed " + seed);
            if (!play(seed, "", UnaryOperator.identity())) {
                return false;
            }
        }
        return true;
    }

    private static boolean playNew(long forNs) {
        long startNs = System.nanoTime();
        long played = 0;
        long failed = 0;
        while (System.nanoTime() - startNs < forNs) {
            boolean hasSpool = played % 2 == 1;
            long seed = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
            failed += play(seed, hasSpool ? " with spool" : "", plan -> hasSpool ? plan.withSpool() : plan) ? 0 : 1;
            if (++played % REPORT_EVERY == 0) {
                System.out.println(played + " seeds played, " + failed + " failed");
            }
        }
        System.out.println(played + " seeds played, " + failed + " failed");
        return failed == 0;
    }

    private static boolean play(long seed, String variant, UnaryOperator<Plan> change) {
        Simulation simulation = new Simulation(seed, change);
        String violations;
        try {
            List<String> found = simulation.play();
            if (found.isEmpty()) {
                return true;
            }
            violations = found.toString();
        } catch (RuntimeException | AssertionError e) {
            violations = e.toString();
        }
        System.out.println("failed: seed " + seed + variant + ": " + violations + " " + simulation.plan());
        return false;
    }

    private static boolean runTest(String[] classAndMethod) throws ClassNotFoundException {
        Class<?> type = Class.forName(classAndMethod[0]);
        List<Method> methods = Stream.of(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(classAndMethod[1])).toList();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(methods.stream().map(method -> DiscoverySelectors.selectMethod(type, method)).toList())
                .build();
        SummaryGeneratingListener results = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, results);
        results.getSummary().getFailures().forEach(failure -> System.out.println("failed: " + failure.getException()));
        return results.getSummary().getTestsSucceededCount() > 0 && results.getSummary().getTotalFailureCount() == 0;
    }
}
