package io.queenmq.client.operator;

import java.util.List;

/**
 * A part of a list.
 *
 * @param total how many there are in the whole list
 */
public record Page<E>(List<E> items, long total) {
    public Page {
        items = List.copyOf(items);
    }
}
