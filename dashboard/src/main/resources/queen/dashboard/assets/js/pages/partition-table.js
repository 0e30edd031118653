// The table of partitions.
import { html, nothing } from 'lit';
import { groupName, number, seconds } from '../core/format.js';
import { url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';

/** @param options {empty, withQueue} */
export function partitionTable(partitions, { empty, withQueue = false }) {
  const columns = [
    withQueue ? { title: 'Queue', cell: (partition) => html`<a href=${url('/queues/:queue', { queue: partition.queue })}>${partition.queue}</a>` } : null,
    {
      title: 'Partition',
      kind: 'wide',
      cell: (partition) =>
        html`<a class="name" href=${url('/partitions/:partitionId', { partitionId: partition.id, group: partition.consumerGroup })}>${partition.name}</a>`,
    },
    {
      title: 'State',
      cell: (partition) => html`${badge(partition.state)}${partition.attempts > 0 ? html`<span class="muted"> tried ${partition.attempts}×</span>` : nothing}`,
    },
    { title: 'Slowest group', cell: (partition) => html`<span class="muted">${groupName(partition.consumerGroup)}</span>` },
    { title: 'Unread', kind: 'num', cell: (partition) => number(partition.offsetLag) },
    {
      title: 'Oldest',
      kind: 'num',
      hint: 'Time since the first unread message became due',
      cell: (partition) => (partition.offsetLag > 0 ? seconds(partition.timeLagSeconds) : '–'),
    },
    { title: 'Stored', kind: 'num', cell: (partition) => number(partition.messages.total) },
    { title: 'Until', kind: 'num', hint: 'End of its lease, delay or retry', cell: (partition) => time(partition.until) },
    { title: 'Last push', kind: 'num', cell: (partition) => time(partition.lastPushAt) },
  ].filter(Boolean);
  return table(columns, partitions, { key: (partition) => partition.id, empty, label: 'Partitions' });
}
