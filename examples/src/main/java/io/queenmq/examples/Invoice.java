package io.queenmq.examples;

/** The price of an order. */
public record Invoice(int order, int amount) {}
