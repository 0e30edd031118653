package io.queenmq.client.operator;

import java.util.List;

/**
 * A page of a list.
 *
 * @param total the size of the whole list
 */
public record Page<E>(List<E> items, long total) {
    public Page {
        items = List.copyOf(items);
    }
}
