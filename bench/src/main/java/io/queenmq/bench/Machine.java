package io.queenmq.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Properties of the machine that affect the results. Unknown texts are empty. */
record Machine(int cores, String cpu, long memoryMiB, String system, String jdk) {
    static Machine current() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Machine(Runtime.getRuntime().availableProcessors(), cpuName(),
                system.getTotalMemorySize() / (1 << 20),
                system.getName() + " " + system.getVersion() + " " + system.getArch(),
                System.getProperty("java.vm.name") + " " + Runtime.version());
    }

    private static String cpuName() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name")).findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("");
        } catch (IOException _) {
            return "";
        }
    }
}
