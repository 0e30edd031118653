// Lanes as lists show them.
import { html, nothing } from 'lit';
import { groupName, number, seconds } from '../core/format.js';
import { url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';

/** @param options {empty, withQueue} */
export function laneTable(lanes, { empty, withQueue = false }) {
  const columns = [
    withQueue ? { title: 'Queue', cell: (lane) => html`<a href=${url('/queues/:queue', { queue: lane.queue })}>${lane.queue}</a>` } : null,
    {
      title: 'Lane',
      kind: 'wide',
      cell: (lane) =>
        html`<a class="name" href=${url('/lanes/:partitionId', { partitionId: lane.id, group: lane.consumerGroup })}>${lane.name}</a>`,
    },
    {
      title: 'State',
      cell: (lane) => html`${badge(lane.state)}${lane.attempts > 0 ? html`<span class="muted"> tried ${lane.attempts}×</span>` : nothing}`,
    },
    { title: 'Slowest group', cell: (lane) => html`<span class="muted">${groupName(lane.consumerGroup)}</span>` },
    { title: 'Unread', kind: 'num', cell: (lane) => number(lane.offsetLag) },
    {
      title: 'Oldest',
      kind: 'num',
      hint: 'How long the first unread message has been due',
      cell: (lane) => (lane.offsetLag > 0 ? seconds(lane.timeLagSeconds) : '–'),
    },
    { title: 'Stored', kind: 'num', cell: (lane) => number(lane.messages.total) },
    { title: 'Until', kind: 'num', hint: 'When its lease, delay or retry ends', cell: (lane) => time(lane.until) },
    { title: 'Last push', kind: 'num', cell: (lane) => time(lane.lastPushAt) },
  ].filter(Boolean);
  return table(columns, lanes, { key: (lane) => lane.id, empty, label: 'Lanes' });
}
