// What ⌘K finds: pages and names first, as they are there at once, then lanes and messages.
import { callOr } from '../core/api.js';
import { groupName } from '../core/format.js';
import { PAGES, url } from '../core/place.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHOWN_MAX = 8;
const MESSAGES_SEARCHED = 500;

/** Yields longer and longer lists of {title, kind, icon, url}. */
export async function* found(text) {
  const wanted = text.toLowerCase();
  const pages = PAGES.filter((page) => page.isInMenu && includes(page.title, wanted)).map((page) => ({
    title: page.title,
    kind: 'page',
    icon: page.icon,
    url: page.path,
  }));
  yield pages;

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
  yield first;
  if (text.length < 2) return;

  const [lanes, messages] = await Promise.all([lanesLike(text), messagesLike(wanted)]);
  yield [...first, ...lanes, ...messages];
}

function pick(names, wanted, kind, icon, to) {
  return names
    .filter((name) => includes(name, wanted))
    .slice(0, SHOWN_MAX)
    .map((name) => ({ title: groupName(name), kind, icon, url: to(name) }));
}

async function lanesLike(text) {
  if (UUID.test(text)) {
    const lane = await callOr(null, 'showLane', { partitionId: text });
    return lane ? [laneHit(lane)] : [];
  }
  const answer = await callOr({ partitions: [] }, 'listLanes', { search: text, limit: SHOWN_MAX });
  return answer.partitions.map(laneHit);
}

function laneHit(lane) {
  return { title: `${lane.queue} / ${lane.name}`, kind: 'lane', icon: 'seek', url: url('/lanes/:partitionId', { partitionId: lane.id }) };
}

/** Among the newest messages of the last day: no index knows a transactionId without its lane. */
async function messagesLike(wanted) {
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const answer = await callOr({ messages: [] }, 'listMessages', { from, limit: MESSAGES_SEARCHED });
  return answer.messages
    .filter((message) => includes(message.transactionId, wanted) || message.id === wanted || message.traceId === wanted)
    .slice(0, SHOWN_MAX)
    .map((message) => ({
      title: message.transactionId,
      kind: `message in ${message.queuePath}`,
      icon: 'messages',
      url: url('/messages/:partitionId/:transactionId', { partitionId: message.partitionId, transactionId: message.transactionId }),
    }));
}

function includes(name, wanted) {
  return name.toLowerCase().includes(wanted);
}
