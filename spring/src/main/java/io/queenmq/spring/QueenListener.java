package io.queenmq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method that handles the messages of a queue while the application is running. Its
 * parameters are the payload, in any type that the codec supports; a {@code Delivery<T>} with the payload and its
 * metadata; a {@code Message<T>}, {@code @Header} or {@code @Headers} of spring-messaging; or, for the messages of one
 * partition that were popped together, one {@code List} or {@code Collection} of payloads, deliveries or messages.
 *
 * <p>If the method returns, the message is acknowledged. If it throws, the attempt has failed, and the message is
 * redelivered in its place. A method with a single message may return an {@link io.queenmq.client.Outcome} instead of
 * void. The work must be complete when the method returns: a method with {@code @Async}, for example, would have its
 * messages acknowledged too early. A suspend function of Kotlin is called until it completes.
 *
 * <p>Every attribute may contain placeholders, such as {@code ${orders.concurrency}}. An annotation may be annotated
 * with this one, with its own attributes mapped by {@link org.springframework.core.annotation.AliasFor}.
 */
@Documented
@Reflective(ListenerHints.class)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueenListener {
    String queue();

    /** The consumer group. All consumers without a group share the queue. */
    String group() default "";

    /** The identifier for {@link QueenListeners} (default: bean name, dot, method name). */
    String id() default "";

    /** The number of partitions handled at the same time. */
    String concurrency() default "1";

    /** The maximum number of messages per pop. */
    String batch() default "50";

    /** The maximum number of partitions per pop (default: adaptive). */
    String maxPartitions() default "";

    /**
     * The start position of a group that has never read this queue: {@code beginning}, {@code now}, or a time such as
     * {@code 2025-01-31T12:00:00Z} (default: the beginning).
     */
    String from() default "";

    /**
     * The time by which each renewal extends the lease while the method runs: {@code 90s}, {@code 5m} (default: 60
     * seconds).
     */
    String lease() default "";

    /**
     * {@code true} if the listener starts with the application. Otherwise {@link QueenListeners#start(String)} starts
     * it.
     */
    String autoStartup() default "true";

    /**
     * The name of a bean of the type {@link io.queenmq.client.ErrorHandler}, which decides the outcome of a message
     * when the method throws (default: the only such bean, otherwise the default of the client).
     */
    String errorHandler() default "";

    /**
     * The name of a bean of the type {@link io.queenmq.client.ErrorHandler} for messages whose payload cannot be decoded
     * or is invalid (default: they are dead-lettered at once, because a retry cannot succeed).
     */
    String undecodable() default "";

    /** Types of failures that are never retried: a message whose failure or one of its causes has one is dead-lettered. */
    Class<? extends Throwable>[] notRetryable() default {};

    /** The attempt after which a message is dead-lettered (default: decided by {@code retryLimit} of the queue). */
    String maxAttempts() default "";

    /**
     * The name of a method of the same bean that is called after a message of this listener was dead-lettered. It has
     * parameters like a listener for one message, and {@link QueenHeaders#DEAD_LETTER_REASON} as a further header. The
     * call is not repeated if the application crashes or the method throws; the dead letter itself is stored.
     */
    String deadLetter() default "";
}
