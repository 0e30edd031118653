// The problems, worst first; empty if there are none.
import { groupName, number, plural, seconds } from '../core/format.js';
import { outageOf } from '../core/outage.js';
import { url } from '../core/place.js';
import { isFull, isLagging } from './queue-health.js';
import { isSilent } from './server-table.js';

export function problems({ health, status, groups, queues, maintenance }) {
  return [
    ...database(health),
    ...modes(maintenance),
    ...silent(status.workers),
    ...lagging(groups),
    ...refused(status),
    ...full(queues),
    ...dead(status),
    ...errors(status),
    ...unread(queues, groups),
    ...paused(queues, groups),
  ];
}

function database(health) {
  const outage = outageOf(health);
  return outage ? [{ kind: 'bad', ...outage, url: url('/postgres') }] : [];
}

function modes(maintenance) {
  const found = [];
  if (maintenance?.maintenanceMode)
    found.push({ kind: 'paused', what: 'Pushes are switched off', why: 'Maintenance: servers spool pushes.', url: url('/system') });
  if (maintenance?.popMaintenanceMode)
    found.push({ kind: 'paused', what: 'Deliveries are switched off', why: 'Maintenance: no messages are delivered.', url: url('/system') });
  return found;
}

function silent(workers) {
  return workers
    .filter(isSilent)
    .filter(
      (worker) =>
        !workers.some(
          (other) => other.workerId === worker.workerId && other.hostname === worker.hostname && other.lastSeen > worker.lastSeen,
        ),
    )
    .map((worker) => ({
      kind: 'quiet',
      what: `Server ${worker.workerId} on ${worker.hostname} does not report`,
      why: `Last report ${seconds((Date.now() - new Date(worker.lastSeen)) / 1000)} ago.`,
      url: url('/operations'),
    }));
}

function lagging(groups) {
  return groups
    .filter(isLagging)
    .sort((a, b) => b.oldestUnreadSeconds - a.oldestUnreadSeconds)
    .map((group) => ({
      kind: 'bad',
      what: `${groupName(group.name)} is ${seconds(group.oldestUnreadSeconds)} behind on ${group.queueName}`,
      why: `${plural(group.totalLag, 'message')} unread in ${plural(group.partitionsWithLag, 'partition')}, ${group.consumers > 0 ? plural(group.consumers, 'consumer') : 'no consumers'}.`,
      url: url('/queues/:queue', { queue: group.queueName, tab: 'partitions', sort: 'lag', group: group.name }),
    }));
}

const REFUSED = {
  full: 'The queue is full: its maxSize is reached.',
  encryption: 'The queue is encrypted, and a server has no key.',
  locked: 'Partitions are locked by a long transaction of the database.',
  refused: 'PostgreSQL rejects the messages.',
  unavailable: 'PostgreSQL was unavailable, and the server had no spool.',
  maintenance: 'Pushes are switched off, and the server had no spool.',
};

function refused(status) {
  return status.refusals.map((each) => ({
    kind: 'bad',
    what: `${plural(each.count, 'push', 'pushes')} to ${each.queue} rejected in this range`,
    why: REFUSED[each.reason] ?? each.reason,
    url: url('/queues/:queue', { queue: each.queue }),
  }));
}

function full(queues) {
  return queues.filter(isFull).map((queue) => ({
    kind: 'bad',
    what: `${queue.name} is full`,
    why: `${plural(queue.maxSize, 'message')} are the limit (maxSize). Pushes are rejected until consumers finish messages.`,
    url: url('/queues/:queue', { queue: queue.name }),
  }));
}

function dead(status) {
  const count = status.errors.dlqMessages;
  const first = status.deadLetterQueue.topErrors[0];
  return count > 0
    ? [
        {
          kind: 'bad',
          what: `${plural(count, 'message')} dead-lettered in this range`,
          why: first?.error ? `Most frequent error: ${first.error}` : '',
          url: url('/dead-letters'),
        },
      ]
    : [];
}

function errors(status) {
  return status.errors.dbErrors > 0
    ? [
        {
          kind: 'warn',
          what: `${plural(status.errors.dbErrors, 'database error')} in this range`,
          why: 'See the log of the server.',
          url: url('/operations'),
        },
      ]
    : [];
}

function unread(queues, groups) {
  const read = new Set(groups.map((group) => group.queueName));
  const alone = queues.filter((queue) => !read.has(queue.name) && queue.messages.pending > 0 && !isFull(queue));
  if (alone.length === 0) return [];
  const pending = alone.reduce((sum, queue) => sum + queue.messages.pending, 0);
  return [
    {
      kind: 'warn',
      what: alone.length === 1 ? `${alone[0].name} has no consumer group` : `${number(alone.length)} queues have no consumer group`,
      why: `${plural(pending, 'message')} stored.`,
      url: alone.length === 1 ? url('/queues/:queue', { queue: alone[0].name }) : url('/queues', { health: 'unread' }),
    },
  ];
}

function paused(queues, groups) {
  return [
    ...queues
      .filter((queue) => queue.paused)
      .map((queue) => ({
        kind: 'paused',
        what: `${queue.name} is paused`,
        why: `${plural(queue.messages.pending, 'message')} waiting.`,
        url: url('/queues/:queue', { queue: queue.name }),
      })),
    ...groups
      .filter((group) => group.paused)
      .map((group) => ({
        kind: 'paused',
        what: `${groupName(group.name)} is paused on ${group.queueName}`,
        why: `${plural(group.totalLag, 'message')} waiting.`,
        url: url('/groups/:group', { group: group.name }),
      })),
  ];
}
