// The search of ⌘K: pages and names first, which are in memory, then partitions and messages.
import { callOr } from '../core/api.js';
import { groupName, number } from '../core/format.js';
import { PAGES, url } from '../core/place.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHOWN_MAX = 8;
const MESSAGES_SEARCHED = 500;
const DAY_MS = 86_400_000;

/** Yields growing lists of {title, kind, icon, url}. The last list may have a note. */
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
  yield messages.length ? { hits } : { hits: [...hits, pageLinks(text)], note: searchScope(text) };
}

function pick(names, wanted, kind, icon, to) {
  return names
    .filter((name) => includes(name, wanted))
    .slice(0, SHOWN_MAX)
    .map((name) => ({ title: groupName(name), kind, icon, url: to(name) }));
}

async function partitionsLike(text) {
  if (isUuid(text)) {
    // Partition ids are derived from names, message ids contain a time.
    const partition = isUuid(text, 3) && (await callOr(null, 'showPartition', { partitionId: text }));
    return partition ? [partitionHit(partition)] : [];
  }
  const answer = await callOr({ partitions: [] }, 'listPartitions', { search: text, limit: SHOWN_MAX });
  return answer.partitions.map(partitionHit);
}

function partitionHit(partition) {
  return { title: `${partition.queue} / ${partition.name}`, kind: 'partition', icon: 'seek', url: url('/partitions/:partitionId', { partitionId: partition.id }) };
}

/**
 * Searches the newest messages of the last day, because transactionIds are indexed per partition only. An id that contains a
 * time is searched at that time.
 */
async function messagesLike(wanted) {
  const made = createdAtOf(wanted);
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

/** Returns the time in a UUID of version 7, or null for other texts. */
function createdAtOf(text) {
  return isUuid(text, 7) ? Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16) : null;
}

function pageLinks(text) {
  return { title: `Search “${text}” in one queue or partition`, kind: 'page', icon: 'search', url: url('/messages', { search: text, range: '24h' }) };
}

function searchScope(text) {
  const minute = createdAtOf(text) ? ' and of the minute in which this id was created' : '';
  return `No message found among the newest ${number(MESSAGES_SEARCHED)} of the last 24 hours${minute}. Search older messages on the page of their queue or partition.`;
}

function isUuid(text, version = text[14]) {
  return UUID.test(text) && text[14] === String(version);
}

function includes(name, wanted) {
  return name?.toLowerCase().includes(wanted);
}
