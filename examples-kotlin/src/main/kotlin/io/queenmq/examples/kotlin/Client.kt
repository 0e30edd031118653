package io.queenmq.examples.kotlin

import io.queenmq.client.Message
import io.queenmq.client.Outcome
import io.queenmq.client.PushResult.Duplicate
import io.queenmq.client.PushResult.Queued
import io.queenmq.client.Queen
import io.queenmq.client.jackson3.Jackson3Codec
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.future.await
import tools.jackson.module.kotlin.jsonMapper
import tools.jackson.module.kotlin.kotlinModule

// snippet: kotlin-payload
data class Order(val number: Int, val customer: String, val note: String? = null)
// end

/** Uses the client without Spring. */
class Client(private val url: String) {
    val billed = CopyOnWriteArrayList<Order>()

    fun connect(): Queen {
        // snippet: kotlin-connect
        val mapper = jsonMapper { addModule(kotlinModule()) }
        val queen = Queen.builder().url(url).codec(Jackson3Codec(mapper)).build()
        // end
        return queen
    }

    fun push(queen: Queen): String {
        // snippet: kotlin-push
        val orders = queen.queue("kotlin-orders", Order::class.java)
        orders.partition("customer-42").push(Order(1, "customer-42"))
        val message = Message.of(Order(2, "customer-42")).partition("customer-42").transactionId("order-2")
        val result = when (val stored = orders.push(message)) {
            is Queued -> "stored as ${stored.messageId}"
            is Duplicate -> "was there already: ${stored.messageId}"
        }
        // end
        return result
    }

    suspend fun pushSuspending(queen: Queen) {
        val orders = queen.queue("kotlin-orders", Order::class.java)
        // snippet: kotlin-await
        orders.partition("customer-42").pushAsync(Order(3, "customer-42")).await()
        // end
    }

    fun consume(queen: Queen) {
        // snippet: kotlin-consume
        queen.queue("kotlin-orders", Order::class.java).group("billing").consumer()
            .stopWhenIdle(Duration.ofMillis(200))
            .startWithOutcomes { delivery ->
                billed += delivery.value()
                if (delivery.value().number > 0) Outcome.ack() else Outcome.deadLetter("no number")
            }
            .use { it.awaitEnd() }
        // end
    }
}
