package io.queenmq.examples.kotlin

import io.queenmq.client.Delivery
import io.queenmq.client.Outcome
import io.queenmq.spring.QueenListener
import io.queenmq.spring.QueenOperations
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.messaging.handler.annotation.Header
import org.springframework.stereotype.Component

@SpringBootApplication(proxyBeanMethods = false)
class Shop

/** The calls of the listeners. */
@Component
class Log {
    val lines = CopyOnWriteArrayList<String>()
}

// snippet: kotlin-listen
@Component
class Billing(private val log: Log) {
    @QueenListener(queue = "kotlin-shop", group = "billing", maxAttempts = "2", deadLetter = "giveUp")
    suspend fun bill(order: Order, @Header("kind") kind: String?) {
        withContext(Dispatchers.IO) { delay(1) }
        check(order.number > 0) { "no number" }
        log.lines += "billed ${order.number} $kind"
    }

    fun giveUp(order: Order) {
        log.lines += "gave up ${order.number}"
    }
}

@Component
class Shipping(private val log: Log) {
    @QueenListener(queue = "kotlin-shop", group = "shipping")
    suspend fun ship(orders: List<Order>): List<Outcome> {
        delay(1)
        log.lines += "shipped ${orders.map { it.number }}"
        return orders.map { Outcome.ack() }
    }

    @QueenListener(queue = "kotlin-shop", group = "statistics")
    fun count(delivery: Delivery<Order>) {
        log.lines += "counted ${delivery.value().number} ${delivery.value().note}"
    }
}
// end

@Component
class OrderService(private val queen: QueenOperations) {
    fun take(order: Order) = queen.push("kotlin-shop", order.customer, order)
}
