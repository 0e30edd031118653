package io.queenmq.client.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Queen;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The artifacts as modules: they resolve, need little, show little, and find each other. */
class ModulesTest {
    private final ModuleFinder onThePath = ModuleFinder
            .of(Arrays.stream(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                    .map(Path::of).filter(ModulesTest::isModule).toArray(Path[]::new));

    @Test
    void theClientNeedsTheJdkAndSlf4jOnly() {
        var client = onThePath.find("io.queenmq.client").orElseThrow().descriptor();

        assertThat(client.requires()).filteredOn(each -> !each.modifiers().contains(Requires.Modifier.STATIC))
                .extracting(Requires::name)
                .containsExactlyInAnyOrder("java.base", "java.net.http", "java.sql", "org.slf4j");
        assertThat(client.exports()).extracting(each -> each.source()).containsExactlyInAnyOrder("io.queenmq.client",
                "io.queenmq.client.error", "io.queenmq.client.operator");
    }

    @Test
    void theCodecIsFoundAmongModules() throws Exception {
        Configuration resolved = ModuleLayer.boot().configuration().resolveAndBind(onThePath, ModuleFinder.of(),
                Set.of("io.queenmq.client"));
        ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(resolved,
                ClassLoader.getPlatformClassLoader());
        Class<?> codec = layer.findLoader("io.queenmq.client").loadClass("io.queenmq.client.Codec");

        List<String> found = ServiceLoader.load(layer, codec).stream().map(each -> each.type().getName()).toList();

        assertThat(codec.getModule().getName()).isEqualTo("io.queenmq.client");
        assertThat(found).containsExactly(JacksonCodec.class.getName());
    }

    @Test
    void theClientRunsOnJava21() throws Exception {
        try (var bytes = Queen.class.getResourceAsStream("Queen.class")) {
            // The class file version, which is 44 more than that of Java.
            assertThat(bytes.readNBytes(8)[7]).isEqualTo((byte) (44 + 21));
        }
    }

    private static boolean isModule(Path path) {
        return ModuleFinder.of(path).findAll().stream()
                .anyMatch(each -> List
                        .of("io.queenmq.client", "io.queenmq.client.jackson", "org.slf4j", "com.fasterxml.jackson.core",
                                "com.fasterxml.jackson.databind", "com.fasterxml.jackson.annotation",
                                "com.fasterxml.jackson.datatype.jdk8", "com.fasterxml.jackson.datatype.jsr310")
                        .contains(each.descriptor().name()));
    }
}
