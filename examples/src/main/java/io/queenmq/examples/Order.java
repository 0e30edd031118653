package io.queenmq.examples;

/** Something a customer wants. */
public record Order(int number, String customer, int total) {}
