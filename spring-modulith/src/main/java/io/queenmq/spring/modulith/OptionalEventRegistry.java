package io.queenmq.spring.modulith;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.modulith.events.core.EventPublicationRegistry;

/**
 * Lets applications start without an event publication registry, and so without its table. Modulith's monitor of stale
 * publications requires a registry unconditionally, so it is removed if there is none.
 */
final class OptionalEventRegistry implements BeanDefinitionRegistryPostProcessor {
    private static final String MONITOR = "org.springframework.modulith.events.config.StalenessMonitorConfiguration";

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (registry.containsBeanDefinition(MONITOR) && registry instanceof ListableBeanFactory beans
                && beans.getBeanNamesForType(EventPublicationRegistry.class, true, false).length == 0) {
            registry.removeBeanDefinition(MONITOR);
        }
    }
}
