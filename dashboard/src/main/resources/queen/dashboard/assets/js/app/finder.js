// What ⌘K finds: pages and names first, as they are there at once, then partitions and messages.
import { callOr } from '../core/api.js';
import { groupName, number } from '../core/format.js';
import { PAGES, url } from '../core/place.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHOWN_MAX = 8;
const MESSAGES_SEARCHED = 500;
const DAY_MS = 86_400_000;

/** Yields longer and longer lists of {title, kind, icon, url}, the last one with a note if there is something to say. */
export async function* found(text) {
  const wanted = text.toLowerCase();
  const pages = PAGES.filter((page) => page.isInMenu && includes(page.title, wanted)).map((page) => ({
    title: page.title,
    kind: 'page',
    icon: page.icon,
    url: page.path,
  }));
  yield { hits: pages };

  const [queues, groups] = await Promise.all([
    callOr({ queues: [] }, 'listQueues', { limit: 1000 }),
    callOr([], 'listGroups', { limit: 1000 }),
  ]);
  const names = [
    ...pick(
      queues.queues.map((queue) => queue.name),
      wanted,
      'queue',
      'queues',
      (queue) => url('/queues/:queue', { queue }),
    ),
    ...pick([...new Set(groups.map((group) => group.name))], wanted, 'group', 'groups', (group) => url('/groups/:group', { group })),
  ];
  const first = text ? [...names, ...pages] : [...pages, ...names];
  yield { hits: first };
  if (text.length < 2) return;

  const [partitions, messages] = await Promise.all([partitionsLike(text), messagesLike(wanted)]);
  const hits = [...first, ...partitions, ...messages];
  yield messages.length ? { hits } : { hits: [...hits, elsewhere(text)], note: whereLooked(text) };
}

function pick(names, wanted, kind, icon, to) {
  return names
    .filter((name) => includes(name, wanted))
    .slice(0, SHOWN_MAX)
    .map((name) => ({ title: groupName(name), kind, icon, url: to(name) }));
}

async function partitionsLike(text) {
  if (isUuid(text)) {
    // Ids of partitions are made of their names, those of messages of the time.
    const partition = isUuid(text, 3) && (await callOr(null, 'showPartition', { partitionId: text }));
    return partition ? [partitionHit(partition)] : [];
  }
  const answer = await callOr({ partitions: [] }, 'listPartitions', { search: text, limit: SHOWN_MAX });
  return answer.partitions.map(partitionHit);
}

function partitionHit(partition) {
  return { title: `${partition.queue} / ${partition.name}`, kind: 'partition', icon: 'seek', url: url('/partitions/:partitionId', { partitionId: partition.id }) };
}

/** Among the newest messages of the last day: no index knows a transactionId without its partition. Ids that tell their time are looked for there. */
async function messagesLike(wanted) {
  const made = madeAt(wanted);
  const ranges = [{ from: new Date(Date.now() - DAY_MS) }, ...(made ? [{ from: new Date(made - 1000), to: new Date(made) }] : [])];
  const answers = await Promise.all(
    ranges.map(({ from, to }) =>
      callOr({ messages: [] }, 'listMessages', { from: from.toISOString(), to: to?.toISOString(), limit: MESSAGES_SEARCHED }),
    ),
  );
  const messages = new Map(answers.flatMap((answer) => answer.messages).map((message) => [message.id, message]));
  return [...messages.values()]
    .filter((message) => includes(message.transactionId, wanted) || message.id === wanted || message.traceId === wanted)
    .slice(0, SHOWN_MAX)
    .map((message) => ({
      title: message.transactionId,
      kind: `message in ${message.queuePath}`,
      icon: 'messages',
      url: url('/messages/:partitionId/:transactionId', { partitionId: message.partitionId, transactionId: message.transactionId }),
    }));
}

/** When a UUID of version 7 was made; null for everything else. */
function madeAt(text) {
  return isUuid(text, 7) ? Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16) : null;
}

function elsewhere(text) {
  return { title: `Look for “${text}” in one queue or partition`, kind: 'page', icon: 'search', url: url('/messages', { search: text, range: '24h' }) };
}

function whereLooked(text) {
  const minute = madeAt(text) ? ', and among those of the minute in which this id was made' : '';
  return `No message: they are looked for among the newest ${number(MESSAGES_SEARCHED)} of the last 24 hours${minute}. For older ones choose their queue or partition, and search there.`;
}

function isUuid(text, version = text[14]) {
  return UUID.test(text) && text[14] === String(version);
}

function includes(name, wanted) {
  return name?.toLowerCase().includes(wanted);
}
