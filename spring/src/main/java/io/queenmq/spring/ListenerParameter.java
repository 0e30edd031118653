package io.queenmq.spring;

import io.queenmq.client.Delivery;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.validation.DataBinder;
import org.springframework.validation.ObjectError;
import org.springframework.validation.Validator;

/** A parameter of a listener method for one message. Thread-safe. */
sealed interface ListenerParameter {
    /**
     * Returns the argument.
     *
     * @param extra headers in addition to those of the delivery
     */
    @Nullable
    Object argument(Delivery<?> delivery, Map<String, Object> extra);

    /** Returns the type of the payload; null if the parameter has no payload. */
    default @Nullable Type payloadType() {
        return null;
    }

    /** The payload. */
    record Payload(Type payloadType, @Nullable Validation validation) implements ListenerParameter {
        @Override
        public @Nullable Object argument(Delivery<?> delivery, Map<String, Object> extra) {
            Object value = delivery.value();
            if (validation != null) {
                validation.validate(value);
            }
            return value;
        }
    }

    /** The delivery. */
    record OfDelivery(Type payloadType) implements ListenerParameter {
        @Override
        public Object argument(Delivery<?> delivery, Map<String, Object> extra) {
            return delivery;
        }
    }

    /** A message of spring-messaging. */
    record OfMessage(Type payloadType) implements ListenerParameter {
        @Override
        public Object argument(Delivery<?> delivery, Map<String, Object> extra) {
            return message(delivery, extra);
        }
    }

    /** All headers. */
    record AllHeaders() implements ListenerParameter {
        @Override
        public Object argument(Delivery<?> delivery, Map<String, Object> extra) {
            return new MessageHeaders(headers(delivery, extra));
        }
    }

    /**
     * One header.
     *
     * @param defaultValue null for none
     */
    record OneHeader(String name, boolean isRequired, @Nullable String defaultValue, MethodParameter parameter,
            ConversionService conversion) implements ListenerParameter {
        @Override
        public @Nullable Object argument(Delivery<?> delivery, Map<String, Object> extra) {
            Object value = headers(delivery, extra).get(name);
            if (value == null) {
                value = defaultValue;
            }
            if (value == null) {
                // Optional also are parameters that are nullable in Kotlin, or annotated as nullable.
                if (isRequired && !parameter.isOptional()) {
                    throw new InvalidMessageException("the header '" + name + "' is missing", null);
                }
                return parameter.getParameterType() == Optional.class ? Optional.empty() : null;
            }
            try {
                return conversion.convert(value, TypeDescriptor.forObject(value), new TypeDescriptor(parameter));
            } catch (ConversionException e) {
                throw new InvalidMessageException("the header '" + name + "' is '" + value + "', which is not a "
                        + parameter.getParameterType().getSimpleName(), e);
            }
        }
    }

    /** The validation of a payload. */
    record Validation(Validator validator, Object[] hints) {
        void validate(@Nullable Object value) {
            if (value == null) {
                throw new InvalidMessageException("the payload is null", null);
            }
            DataBinder binder = new DataBinder(value, "payload");
            binder.setValidator(validator);
            binder.validate(hints);
            if (binder.getBindingResult().hasErrors()) {
                throw new InvalidMessageException("the payload is invalid: " + binder.getBindingResult().getAllErrors()
                        .stream().map(Validation::text).collect(Collectors.joining(", ")), null);
            }
        }

        private static String text(ObjectError error) {
            String reason = error.getDefaultMessage() == null
                    ? String.valueOf(error.getCode())
                    : error.getDefaultMessage();
            return error instanceof org.springframework.validation.FieldError field
                    ? field.getField() + " " + reason
                    : String.valueOf(reason);
        }

        /** Returns the hints of the first validation annotation; null if there is none. */
        static Object @Nullable [] hints(Annotation[] annotations) {
            for (Annotation each : annotations) {
                Object[] hints = org.springframework.validation.annotation.ValidationAnnotationUtils
                        .determineValidationHints(each);
                if (hints != null) {
                    return hints;
                }
            }
            return null;
        }
    }

    /** Returns a message of spring-messaging with the payload and the headers of a delivery. */
    static Message<?> message(Delivery<?> delivery, Map<String, Object> extra) {
        Object value = delivery.value();
        if (value == null) {
            throw new InvalidMessageException("the payload is null, which a Message<?> cannot contain", null);
        }
        return MessageBuilder.createMessage(value, new MessageHeaders(headers(delivery, extra)));
    }

    /** Returns the pushed headers, the metadata of the delivery, and these headers. */
    static Map<String, Object> headers(Delivery<?> delivery, Map<String, Object> extra) {
        Map<String, Object> headers = new LinkedHashMap<>(delivery.headers());
        headers.put(QueenHeaders.QUEUE, delivery.queue());
        headers.put(QueenHeaders.PARTITION, delivery.partition());
        headers.put(QueenHeaders.TRANSACTION_ID, delivery.transactionId());
        headers.put(QueenHeaders.MESSAGE_ID, delivery.messageId());
        headers.put(QueenHeaders.ATTEMPT, delivery.attempt());
        headers.put(QueenHeaders.CREATED_AT, delivery.createdAt());
        headers.put(QueenHeaders.DELIVERY, delivery);
        String group = delivery.group();
        if (group != null) {
            headers.put(QueenHeaders.GROUP, group);
        }
        headers.putAll(extra);
        return headers;
    }

    /** Returns the arguments of a call. */
    static @Nullable Object[] arguments(List<ListenerParameter> parameters, Delivery<?> delivery,
            Map<String, Object> extra) {
        @Nullable
        Object[] arguments = new Object[parameters.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = parameters.get(i).argument(delivery, extra);
        }
        return arguments;
    }
}
