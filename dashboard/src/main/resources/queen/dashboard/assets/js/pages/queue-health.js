// How queues do, in a word, from what lists tell of queues and groups.

const ORDER = ['full', 'lagging', 'unread', 'paused', 'ok', 'idle'];

/** Queues with the groups that read them, for how long the oldest unread message has been due, and a state. What is paused does not lag. */
export function withHealth(queues, groups) {
  const readers = Map.groupBy(groups, (group) => group.queueName);
  return queues.map((queue) => {
    const own = readers.get(queue.name) ?? [];
    const lag = oldestUnread(own);
    return { ...queue, groups: own, lag, state: stateOf(queue, own) };
  });
}

/** In seconds; 0 when nothing waits. */
export function oldestUnread(groups) {
  return Math.max(0, ...groups.filter((group) => group.state !== 'Paused').map((group) => group.oldestUnreadSeconds));
}

export function isLagging(group) {
  return group.state === 'Lagging' || group.state === 'Dead';
}

/** Whether a queue takes no more, because as many messages are unfinished as its maxSize allows. */
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
