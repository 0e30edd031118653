// The current address. Pages have no other state, so that every view can be shared as a link.

/** help: the document about the page, below /docs. */
export const PAGES = [
  { path: '/', tag: 'page-overview', title: 'Overview', icon: 'overview', isInMenu: true, help: 'guide/dashboard' },
  { path: '/queues', tag: 'page-queues', title: 'Queues', icon: 'queues', isInMenu: true, help: 'guide/operating' },
  { path: '/queues/:queue', tag: 'page-queue', title: 'Queue', parent: '/queues', help: 'guide/queue-options' },
  { path: '/partitions/:partitionId', tag: 'page-partition', title: 'Partition', parent: '/queues', help: 'guide/operating' },
  { path: '/messages', tag: 'page-messages', title: 'Messages', icon: 'messages', isInMenu: true, help: 'guide/dead-letters' },
  { path: '/messages/:partitionId/:transactionId', tag: 'page-message', title: 'Message', parent: '/messages', help: 'guide/operating' },
  { path: '/groups', tag: 'page-groups', title: 'Groups', icon: 'groups', isInMenu: true, help: 'guide/numbers#groups' },
  { path: '/groups/:group', tag: 'page-group', title: 'Group', parent: '/groups', help: 'guide/numbers#groups' },
  { path: '/queries', tag: 'page-queries', title: 'Streams', icon: 'streams', isInMenu: true, help: 'guide/streams' },
  { path: '/queries/:name', tag: 'page-query', title: 'Stream query', parent: '/queries', help: 'guide/streams' },
  { path: '/dead-letters', tag: 'page-dead-letters', title: 'Dead letters', icon: 'dead', isInMenu: true, help: 'guide/dead-letters' },
  { path: '/traces', tag: 'page-traces', title: 'Traces', icon: 'traces', isInMenu: true, help: 'guide/dashboard' },
  { path: '/operations', tag: 'page-operations', title: 'Operations', icon: 'operations', isInMenu: true, help: 'guide/numbers' },
  { path: '/postgres', tag: 'page-postgres', title: 'PostgreSQL', icon: 'postgres', isInMenu: true, help: 'guide/capacity' },
  { path: '/system', tag: 'page-system', title: 'System', icon: 'system', isInMenu: true, help: 'guide/outages' },
];

/** Returns the page of an address with the names in its path, or null. */
export function here() {
  const segments = location.pathname.split('/').filter(Boolean);
  for (const page of PAGES) {
    const params = match(page.path.split('/').filter(Boolean), segments);
    if (params) return { page, params, query: Object.fromEntries(new URLSearchParams(location.search)) };
  }
  return null;
}

function match(pattern, segments) {
  if (pattern.length !== segments.length) return null;
  const params = {};
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i].startsWith(':')) params[pattern[i].slice(1)] = decode(segments[i]);
    else if (pattern[i] !== segments[i]) return null;
  }
  return params;
}

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Returns an address: url('/queues/:queue', {queue: 'a/b', tab: 'partitions'}). Values that the path does not contain become
 * the query.
 */
export function url(path, given = {}) {
  const rest = { ...given };
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(value);
  });
  return filled + search(rest);
}

export function go(to, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  window.dispatchEvent(new Event('queen-place'));
}

/** Changes parameters of the query. Null or an empty text removes a parameter. */
export function refine(changes) {
  const query = { ...Object.fromEntries(new URLSearchParams(location.search)), ...changes };
  go(location.pathname + search(query), { replace: true });
}

function search(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
}

/** Handles links of this origin without reloading the page. */
export function followLinks(onChange) {
  window.addEventListener('popstate', onChange);
  window.addEventListener('queen-place', onChange);
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.origin !== location.origin || link.hasAttribute('data-plain')) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
