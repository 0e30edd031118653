package io.queenmq.spring;

import io.queenmq.client.Batch;
import io.queenmq.client.Delivery;
import io.queenmq.client.Outcome;
import io.queenmq.client.error.CodecException;
import java.lang.annotation.Annotation;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.SynthesizingMethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.ValueConstants;
import org.springframework.util.ReflectionUtils;
import org.springframework.validation.Validator;

/** A method of a bean that handles messages. Thread-safe if the bean is. */
final class ListenerMethod {
    private static final String SUPPORTED = "A listener has parameters for one message (the payload, Delivery<T>,"
            + " spring-messaging's Message<T>, @Header, @Headers), or one List or Collection of payloads, Delivery<T> or"
            + " Message<T> for a batch.";
    /** Types that are not payloads. A method with such a parameter has another intention. */
    private static final Set<Class<?>> NO_PAYLOADS = Set.of(Delivery.class, io.queenmq.client.Message.class,
            Message.class, Batch.class, MessageHeaders.class);

    /** The elements of a batch. */
    private enum Element {
        PAYLOAD,
        DELIVERY,
        MESSAGE
    }

    private final Object bean;
    private final Method method;
    private final ConfigurableListableBeanFactory beans;
    private final List<ListenerParameter> parameters = new ArrayList<>();
    private final @Nullable Element batch;
    private final Type payloadType;
    private final boolean isSuspending;
    private final boolean hasResult;

    /** @throws QueenStartupException if the method cannot be a listener, with the reason */
    ListenerMethod(Object bean, Method method, ConfigurableListableBeanFactory beans) {
        this.bean = bean;
        this.beans = beans;
        this.method = AopUtils.selectInvocableMethod(method, bean.getClass());
        // Reads the types of the original method, because the method of a proxy has no generic types.
        Type[] types = SuspendFunctions.parameters(method);
        if (SuspendFunctions.isSuspending(method) && !SuspendFunctions.isSupported()) {
            throw rejected(method, "is a suspend function, but kotlinx-coroutines is not on the class path",
                    "Add org.jetbrains.kotlinx:kotlinx-coroutines-core.");
        }
        if (types.length == 0) {
            throw rejected(method, "has no parameter", SUPPORTED);
        }
        if (types.length == 1 && isOf(types[0], List.class, Collection.class)) {
            Type element = argument(types[0]);
            this.batch = isOf(element, Delivery.class)
                    ? Element.DELIVERY
                    : isOf(element, Message.class) ? Element.MESSAGE : Element.PAYLOAD;
            this.payloadType = batch == Element.PAYLOAD ? element : argument(element);
            requirePayload(method, payloadType, types[0]);
        } else {
            this.batch = null;
            for (int i = 0; i < types.length; i++) {
                parameters.add(parameter(method, i, types[i]));
            }
            this.payloadType = commonPayloadType(method);
        }
        this.isSuspending = SuspendFunctions.isSuspending(method);
        this.hasResult = SuspendFunctions.result(method) != void.class;
        requireReturn(SuspendFunctions.result(method));
        ReflectionUtils.makeAccessible(this.method);
    }

    private ListenerParameter parameter(Method original, int index, Type type) {
        MethodParameter parameter = new SynthesizingMethodParameter(original, index);
        parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
        Header header = parameter.getParameterAnnotation(Header.class);
        if (header != null) {
            return header(original, parameter, header);
        }
        if (parameter.hasParameterAnnotation(Headers.class) || type == MessageHeaders.class) {
            if (!parameter.getParameterType().isAssignableFrom(MessageHeaders.class)) {
                throw rejected(original, "has @Headers on a " + type.getTypeName(), "Use Map<String, Object>.");
            }
            return new ListenerParameter.AllHeaders();
        }
        ListenerParameter.Validation validation = validation(original, parameter.getParameterAnnotations());
        if (isOf(type, Delivery.class) || isOf(type, Message.class)) {
            requirePayload(original, argument(type), type);
            if (validation != null) {
                throw rejected(original, "validates a " + type.getTypeName(),
                        "Put the annotation on a payload parameter; a method can have both.");
            }
            return isOf(type, Delivery.class)
                    ? new ListenerParameter.OfDelivery(argument(type))
                    : new ListenerParameter.OfMessage(argument(type));
        }
        if (isOf(type, List.class, Collection.class)) {
            throw rejected(original, "has a batch and further parameters", SUPPORTED);
        }
        requirePayload(original, type, type);
        return new ListenerParameter.Payload(type, validation);
    }

    private ListenerParameter header(Method original, MethodParameter parameter, Header header) {
        String name = header.name().isEmpty() ? parameter.getParameterName() : header.name();
        if (name == null || name.isEmpty()) {
            throw rejected(original, "has a @Header without a name", "Name the header: @Header(\"kind\").");
        }
        boolean hasDefault = !ValueConstants.DEFAULT_NONE.equals(header.defaultValue());
        ConversionService conversion = beans.getConversionService();
        return new ListenerParameter.OneHeader(name, header.required(),
                hasDefault ? beans.resolveEmbeddedValue(header.defaultValue()) : null, parameter,
                conversion == null ? DefaultConversionService.getSharedInstance() : conversion);
    }

    private ListenerParameter.@Nullable Validation validation(Method original, Annotation[] annotations) {
        Object[] hints = ListenerParameter.Validation.hints(annotations);
        if (hints == null) {
            return null;
        }
        Validator validator = beans.getBeanProvider(Validator.class).getIfAvailable();
        if (validator == null) {
            throw rejected(original, "validates its payload, but there is no Validator bean",
                    "Add spring-boot-starter-validation, or define a bean of the type"
                            + " org.springframework.validation.Validator.");
        }
        return new ListenerParameter.Validation(validator, hints);
    }

    /** Returns the type that all parameters with the payload share. */
    private Type commonPayloadType(Method original) {
        List<ListenerParameter> withPayload = parameters.stream().filter(each -> each.payloadType() != null).toList();
        if (withPayload.stream().filter(ListenerParameter.Payload.class::isInstance).count() > 1) {
            throw rejected(original, "has two payload parameters",
                    "Annotate parameters for headers with @Header. " + SUPPORTED);
        }
        Type common = null;
        for (ListenerParameter each : withPayload) {
            Type type = each.payloadType();
            if (common == null || common == Object.class) {
                common = type;
            } else if (type != Object.class && !common.equals(type)) {
                throw rejected(original,
                        "has parameters with the payload types " + common.getTypeName() + " and "
                                + String.valueOf(type == null ? null : type.getTypeName()),
                        "Use one payload type in all parameters.");
            }
        }
        if (common == null) {
            throw rejected(original, "has no parameter with the payload", SUPPORTED);
        }
        return common;
    }

    /** A result such as a future would be ignored, and its message acknowledged before the work is done. */
    private void requireReturn(Type result) {
        boolean isOutcome = batch == null
                ? result == Outcome.class
                : isOf(result, List.class, Collection.class) && argument(result) == Outcome.class;
        if (hasResult && !isOutcome) {
            throw rejected(method, "returns " + result.getTypeName(),
                    batch == null
                            ? "Return void or Outcome. Work must be complete when the method returns."
                            : "Return void or List<Outcome>, with one outcome per message.");
        }
    }

    /** Returns true if the method handles all messages of a partition that were popped together. */
    boolean isBatch() {
        return batch != null;
    }

    Type payloadType() {
        return payloadType;
    }

    Outcome handle(Delivery<?> delivery) throws Exception {
        return handle(delivery, Map.of());
    }

    /** @param extra headers in addition to those of the delivery */
    Outcome handle(Delivery<?> delivery, Map<String, Object> extra) throws Exception {
        Object returned = invoke(ListenerParameter.arguments(parameters, delivery, extra));
        if (!hasResult) {
            return Outcome.ack();
        }
        if (returned == null) {
            throw new IllegalStateException(this + " returned null instead of an Outcome");
        }
        return (Outcome) returned;
    }

    @SuppressWarnings("unchecked") // requireReturn has checked the type of the elements
    List<Outcome> handleAll(List<? extends Delivery<?>> partition) throws Exception {
        Object returned = invoke(switch (batch) {
            case DELIVERY -> partition;
            case MESSAGE -> values(partition).isEmpty()
                    ? List.of()
                    : partition.stream().map(each -> ListenerParameter.message(each, Map.of())).toList();
            case PAYLOAD -> values(partition);
            case null -> throw new IllegalStateException(this + " does not handle batches");
        });
        if (!hasResult) {
            return Outcome.ack(partition.size());
        }
        if (returned == null) {
            throw new IllegalStateException(this + " returned null instead of a list of outcomes");
        }
        return List.copyOf((Collection<Outcome>) returned);
    }

    /** Decodes all payloads before the method is called, so that all undecodable ones are known. */
    private static List<@Nullable Object> values(List<? extends Delivery<?>> partition) {
        List<@Nullable Object> values = new ArrayList<>(partition.size());
        CodecException failure = null;
        for (Delivery<?> each : partition) {
            try {
                values.add(each.value());
            } catch (CodecException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return values;
    }

    private @Nullable Object invoke(@Nullable Object... arguments) throws Exception {
        if (isSuspending) {
            return SuspendCall.call(bean, method, arguments);
        }
        try {
            return method.invoke(bean, arguments);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }

    private static void requirePayload(Method method, Type type, Type parameter) {
        if (!isPayload(type)) {
            throw rejected(method, "has a parameter that no message can become: " + parameter.getTypeName(), SUPPORTED);
        }
    }

    private static boolean isPayload(Type type) {
        return switch (type) {
            case Class<?> plain -> plain.isArray()
                    ? isPayload(plain.getComponentType())
                    : !NO_PAYLOADS.contains(plain) && plain != void.class;
            case ParameterizedType generic -> isPayload(generic.getRawType())
                    && Arrays.stream(generic.getActualTypeArguments()).allMatch(ListenerMethod::isPayload);
            case GenericArrayType array -> isPayload(array.getGenericComponentType());
            case WildcardType wildcard -> Arrays.stream(wildcard.getUpperBounds()).allMatch(ListenerMethod::isPayload);
            case TypeVariable<?> unknown -> false;
            default -> true;
        };
    }

    private static boolean isOf(Type type, Class<?>... wanted) {
        Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
        return List.of(wanted).contains(raw);
    }

    /** Returns the type argument; Object if there is none. */
    private static Type argument(Type type) {
        if (!(type instanceof ParameterizedType generic)) {
            return Object.class;
        }
        Type argument = generic.getActualTypeArguments()[0];
        return argument instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : argument;
    }

    private static QueenStartupException rejected(Method method, String reason, String action) {
        return new QueenStartupException(
                "@QueenListener " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " " + reason,
                action, null);
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
