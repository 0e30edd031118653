package io.queenmq.server.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FreshCountsTest {
    private static final Pattern SUMS = Pattern.compile("(?:from|join) (?:%I\\.)?(queue|group|partition)_depth\\b");
    private static final Pattern CALL = Pattern.compile(":api\\.(\\w+)\\(");

    /** Routines that need no sums: the subscription shows that a group reads a queue, and sums are only used without one. */
    private static final Set<String> NOT_SHOWN = Set.of("is_reader");

    private final Map<String, String> routines = new HashMap<>();
    private final List<String> ofOperators = new ArrayList<>();

    @Test
    void sumsAreRefreshedBeforeEveryRoutineThatShowsThem() throws IOException {
        read();

        List<String> showing = ofOperators.stream()
                .filter(name -> routines.get(name).contains(" stable\n") && shows(name, new HashSet<>())).toList();

        assertThat(showing).isNotEmpty();
        assertThat(FreshCounts.NUMBERS).containsAll(showing);
    }

    private void read() throws IOException {
        for (String path : resource("index.txt").lines().toList()) {
            String name = path.substring(path.lastIndexOf('/') + 1).replace(".sql", "");
            if (!path.startsWith("migrations/")) {
                routines.put(name, resource(path));
            }
            if (path.contains("operator/")) {
                ofOperators.add(name);
            }
        }
    }

    private boolean shows(String name, Set<String> seen) {
        String text = routines.get(name);
        return seen.add(name) && !NOT_SHOWN.contains(name) && (SUMS.matcher(text).find()
                || CALL.matcher(text).results().anyMatch(call -> shows(call.group(1), seen)));
    }

    private static String resource(String path) throws IOException {
        try (InputStream in = FreshCountsTest.class.getResourceAsStream("/queen/schema/" + path)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
