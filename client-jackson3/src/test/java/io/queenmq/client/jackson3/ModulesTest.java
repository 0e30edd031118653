package io.queenmq.client.jackson3;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The artifact as a module: it resolves, and the client finds it. */
class ModulesTest {
    private static final Set<String> NEEDED = Set.of("io.queenmq.client", "io.queenmq.client.jackson3", "org.slf4j",
            "tools.jackson.core", "tools.jackson.databind", "com.fasterxml.jackson.annotation");

    @Test
    void theCodecIsFoundAmongModules() throws Exception {
        ModuleFinder finder = ModuleFinder
                .of(Arrays.stream(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                        .map(Path::of).filter(ModulesTest::isNeeded).toArray(Path[]::new));
        Configuration resolved = ModuleLayer.boot().configuration().resolveAndBind(finder, ModuleFinder.of(),
                Set.of("io.queenmq.client"));
        ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(resolved,
                ClassLoader.getPlatformClassLoader());
        Class<?> codec = layer.findLoader("io.queenmq.client").loadClass("io.queenmq.client.Codec");

        List<String> found = ServiceLoader.load(layer, codec).stream().map(each -> each.type().getName()).toList();

        assertThat(found).containsExactly(Jackson3Codec.class.getName());
    }

    private static boolean isNeeded(Path path) {
        return ModuleFinder.of(path).findAll().stream().anyMatch(each -> NEEDED.contains(each.descriptor().name()));
    }
}
