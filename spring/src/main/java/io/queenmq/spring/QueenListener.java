package io.queenmq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that handles the messages of a queue, from the start of the application to its end. Its one parameter
 * is the payload, in any type that the codec reads; a {@code Delivery<T>}, which knows more than the payload; or, for the
 * messages of one partition that were fetched together, a {@code List<T>} of payloads or a {@code List<Delivery<T>>}.
 *
 * <p>To return is to acknowledge, to throw is to fail: the message is delivered again, in its place. A method with a single
 * message may return an {@link io.queenmq.client.Outcome} instead of nothing, to say what is to become of it. It must be
 * done when it returns: a method that only begins something, as one with {@code @Async} does, has its messages acknowledged too
 * early.
 *
 * <p>Every attribute may have placeholders, as in {@code ${orders.concurrency}}. An annotation that carries this one can stand for it,
 * with attributes of its own by {@link org.springframework.core.annotation.AliasFor}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueenListener {
    String queue();

    /** Without one, all who read without a group share the queue. */
    String group() default "";

    /** By which {@link QueenListeners} knows it; the name of the bean, a dot and the name of the method unless set. */
    String id() default "";

    /** How many messages of different partitions are handled at the same time. */
    String concurrency() default "1";

    /** How many messages are fetched at a time at most. */
    String batch() default "50";

    /** From how many partitions they may come at a time; chosen by what comes unless set. */
    String maxPartitions() default "";

    /**
     * Where the group begins if it has never read this queue: {@code beginning}, {@code now}, or a moment as in
     * {@code 2025-01-31T12:00:00Z}; the beginning unless set.
     */
    String from() default "";

    /** For how long a lease is renewed each time, while the method runs: {@code 90s}, {@code 5m}; 60 seconds unless set. */
    String lease() default "";

    /** Whether it starts with the application; else {@link QueenListeners#start(String)} starts it. */
    String autoStartup() default "true";

    /**
     * The name of a bean of the type {@link io.queenmq.client.ErrorHandler}, which decides what is to become of a message when the
     * method throws. Unless set it is the only such bean there is, and without one the client's standard.
     */
    String errorHandler() default "";
}
