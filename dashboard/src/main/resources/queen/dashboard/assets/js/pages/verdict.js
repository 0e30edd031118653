// What needs a look, worst first; an empty list means that all is well.
import { groupName, number, plural, seconds } from '../core/format.js';
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
  return health.database === 'disconnected'
    ? [{ kind: 'bad', what: 'PostgreSQL is away', why: away(health.spool), url: url('/postgres') }]
    : [];
}

function away(spool) {
  return spool?.state === 'ready'
    ? 'Pushes are kept in the spool, all else is answered 503 until it is back.'
    : 'Requests are answered 503 until it is back.';
}

function modes(maintenance) {
  const found = [];
  if (maintenance?.maintenanceMode)
    found.push({ kind: 'paused', what: 'Pushes are switched off', why: 'Maintenance: they wait in the spools of servers.', url: url('/system') });
  if (maintenance?.popMaintenanceMode)
    found.push({ kind: 'paused', what: 'Nothing is handed out', why: 'Maintenance: consumers get nothing.', url: url('/system') });
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
      what: `Server ${worker.workerId} on ${worker.hostname} has gone`,
      why: `Last heard of ${seconds((Date.now() - new Date(worker.lastSeen)) / 1000)} ago.`,
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
      why: `${plural(group.totalLag, 'message')} unread in ${plural(group.partitionsWithLag, 'partition')}, ${group.consumers > 0 ? plural(group.consumers, 'consumer') : 'nobody consumes'}.`,
      url: url('/queues/:queue', { queue: group.queueName, tab: 'partitions', sort: 'lag', group: group.name }),
    }));
}

const REFUSED = {
  full: 'The queue is full: its maxSize is reached.',
  encryption: 'They have to be encrypted, and a server has no key.',
  locked: 'Partitions are locked by a long transaction of the database.',
  refused: 'PostgreSQL refuses the messages themselves.',
  unavailable: 'PostgreSQL could not be asked, and there was no spool.',
  maintenance: 'Pushes are switched off, and there was no spool.',
};

function refused(status) {
  return status.refusals.map((each) => ({
    kind: 'bad',
    what: `${plural(each.count, 'push', 'pushes')} to ${each.queue} refused in this range`,
    why: REFUSED[each.reason] ?? each.reason,
    url: url('/queues/:queue', { queue: each.queue }),
  }));
}

function full(queues) {
  return queues.filter(isFull).map((queue) => ({
    kind: 'bad',
    what: `${queue.name} is full`,
    why: `${plural(queue.maxSize, 'message')} are all it takes (maxSize). Pushes are refused until consumers have finished some.`,
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
          what: `${plural(count, 'message')} died in this range`,
          why: first?.error ? `Most often: ${first.error}` : '',
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
          why: 'The log of the server tells which.',
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
      what: alone.length === 1 ? `Nobody reads ${alone[0].name}` : `Nobody reads ${number(alone.length)} queues`,
      why: `${plural(pending, 'message')} waiting for a first consumer.`,
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
