// Which other servers this one knows, and what they told each other.
import { html, nothing } from 'lit';
import { millis, number } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { card, table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';

const STATES = { alive: 'ok', silent: 'gone', leaving: 'paused' };

const COLUMNS = [
  { title: 'Server', kind: 'wide', cell: (peer) => html`<span class="name">${peer.server_id ?? 'speaks another version'}</span>` },
  { title: 'State', cell: (peer) => badge(STATES[peer.state], peer.state) },
  { title: 'Version', cell: (peer) => peer.version ?? '' },
  { title: 'Known since', kind: 'num', cell: (peer) => time(peer.member_since) },
  { title: 'Queues', kind: 'num', hint: 'Of how many it wants to hear', cell: (peer) => (peer.queues < 0 ? 'all' : number(peer.queues)) },
  { title: 'There and back', kind: 'num', hint: 'Of its last sign of life', cell: (peer) => (peer.round_trip_ms === null ? '' : millis(peer.round_trip_ms)) },
];

/** @param cluster null when it may not be seen */
export function clusterCard(cluster) {
  if (!cluster?.enabled) return nothing;
  const { transport } = cluster;
  return card(
    'Other servers',
    table(COLUMNS, transport.peers, {
      key: (peer) => peer.session_id,
      label: 'Other servers',
      empty: ['This server knows no other.', alone(cluster)],
    }),
    html`<span class="muted">
      hints: ${number(transport.messages_sent)} sent, ${number(transport.messages_received)} received, ${number(transport.messages_dropped)} dropped,
      ${number(transport.signature_failures + transport.sequence_rejections + transport.malformed + transport.other_version)} refused
    </span>`,
  );
}

function alone({ running, server_health: health }) {
  if (!running) return 'It could not join the others yet; its log says why.';
  return health && health.servers_alive > 1
    ? `${health.servers_alive} servers report to this database: they have another secret, or cannot reach each other.`
    : 'Others on the same database appear here by themselves.';
}
