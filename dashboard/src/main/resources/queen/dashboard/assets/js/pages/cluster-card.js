// The peers of this server, and the hints between them.
import { html, nothing } from 'lit';
import { millis, number } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { card, table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';

const STATES = { alive: 'ok', silent: 'gone', leaving: 'paused' };

const COLUMNS = [
  { title: 'Server', kind: 'wide', cell: (peer) => html`<span class="name">${peer.server_id ?? 'incompatible version'}</span>` },
  { title: 'State', cell: (peer) => badge(STATES[peer.state], peer.state) },
  { title: 'Version', cell: (peer) => peer.version ?? '' },
  { title: 'Known since', kind: 'num', cell: (peer) => time(peer.member_since) },
  { title: 'Queues', kind: 'num', hint: 'Subscribed queues', cell: (peer) => (peer.queues < 0 ? 'all' : number(peer.queues)) },
  { title: 'Round trip', kind: 'num', hint: 'Of the last heartbeat', cell: (peer) => (peer.round_trip_ms === null ? '' : millis(peer.round_trip_ms)) },
];

/** @param cluster null if the user may not see it */
export function clusterCard(cluster) {
  if (!cluster?.enabled) return nothing;
  const { transport } = cluster;
  return card(
    'Other servers',
    table(COLUMNS, transport.peers, {
      key: (peer) => peer.session_id,
      label: 'Other servers',
      empty: ['This server has no peers.', alone(cluster)],
    }),
    html`<span class="muted">
      hints: ${number(transport.messages_sent)} sent, ${number(transport.messages_received)} received, ${number(transport.messages_dropped)} dropped,
      ${number(transport.signature_failures + transport.sequence_rejections + transport.malformed + transport.other_version)} refused
    </span>`,
  );
}

function alone({ running, server_health: health }) {
  if (!running) return 'The server has not joined the cluster yet; see its log.';
  return health && health.servers_alive > 1
    ? `${health.servers_alive} servers report to this database, but not to this server: check CLUSTER_SECRET and the network.`
    : 'Other servers on the same database appear here automatically.';
}
