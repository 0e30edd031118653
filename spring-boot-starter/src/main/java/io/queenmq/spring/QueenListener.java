package io.queenmq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that handles the messages of a queue, from the start of the application to its end. Its one parameter
 * is the payload, in any type that the codec reads; a {@code Delivery<T>}, which knows more than the payload; or a
 * {@code List<Delivery<T>>}, the messages of one lane that were fetched together.
 *
 * <p>To return is to acknowledge, to throw is to fail: the message is delivered again, in its place. A method with a single
 * message may return an {@link io.queenmq.client.Outcome} instead of nothing, to say what is to become of it. It must be
 * done when it returns: a method that only begins something, as one with {@code @Async} does, has its messages acknowledged too
 * early.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface QueenListener {
    /** May have placeholders, as in {@code ${orders.queue}}. */
    String queue();

    /** May have placeholders; without one, all who read without a group share the queue. */
    String group() default "";

    /** How many messages of different lanes are handled at the same time. */
    int concurrency() default 1;

    /** How many messages are fetched at a time at most. */
    int batch() default 10;

    /** From how many lanes they may come at a time. More helps when many lanes hold little. */
    int maxPartitions() default 1;
}
