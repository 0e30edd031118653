package io.queenmq.examples;

/** An order of a customer. */
public record Order(int number, String customer, int total) {}
