package io.queenmq.examples;

/** What it costs. */
public record Invoice(int order, int amount) {}
