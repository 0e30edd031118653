// The state of queues, derived from the lists of queues and groups.

const ORDER = ['full', 'lagging', 'unread', 'paused', 'ok', 'idle'];

/** Returns queues with their groups, the age of the oldest due message, and a state. Paused groups do not lag. */
export function withHealth(queues, groups) {
  const readers = Map.groupBy(groups, (group) => group.queueName);
  return queues.map((queue) => {
    const own = readers.get(queue.name) ?? [];
    const lag = oldestUnread(own);
    return { ...queue, groups: own, lag, state: stateOf(queue, own) };
  });
}

/** In seconds; 0 without unread messages. */
export function oldestUnread(groups) {
  return Math.max(0, ...groups.filter((group) => group.state !== 'Paused').map((group) => group.oldestUnreadSeconds));
}

export function isLagging(group) {
  return group.state === 'Lagging' || group.state === 'Dead';
}

/** Returns true if the number of unfinished messages has reached maxSize, so that pushes are rejected. */
export function isFull(queue) {
  return queue.maxSize > 0 && queue.messages.pending + queue.messages.processing >= queue.maxSize;
}

function stateOf(queue, groups) {
  if (queue.paused) return 'paused';
  if (isFull(queue)) return 'full';
  if (groups.some(isLagging)) return 'lagging';
  if (groups.length === 0 && queue.messages.pending > 0) return 'unread';
  return queue.messages.total === 0 ? 'idle' : 'ok';
}

export const SORTS = {
  worst: (a, b) =>
    ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.lag - a.lag || b.messages.pending - a.messages.pending || byName(a, b),
  pending: (a, b) => b.messages.pending - a.messages.pending || byName(a, b),
  name: (a, b) => byName(a, b),
  newest: (a, b) => b.createdAt.localeCompare(a.createdAt),
  partitions: (a, b) => b.partitions - a.partitions || byName(a, b),
};

function byName(a, b) {
  return a.name.localeCompare(b.name);
}
