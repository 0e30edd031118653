// The table of messages.
import { html, nothing } from 'lit';
import { number, plural } from '../core/format.js';
import { url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';

export function messageUrl(message) {
  return url('/messages/:partitionId/:transactionId', { partitionId: message.partitionId, transactionId: message.transactionId });
}

/** Returns the name of a message as a link, or a note if the message was not read because the page has too many bytes. */
export function messageName(message) {
  return message.isOmitted
    ? html`<span class="muted" title="The messages of this page are too large to read all of them. Use a filter.">not read</span>`
    : html`<a class="name mono" href=${messageUrl(message)}>${message.transactionId}</a>`;
}

/** Returns the number of headers with their values as a hint. Empty without headers. */
export function headersOf(message) {
  const headers = Object.entries(message.headers ?? {});
  if (headers.length === 0) return nothing;
  return html`<span class="chip" title=${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
    >${plural(headers.length, 'header')}</span
  >`;
}

/** @param options {empty, isOfOneQueue} */
export function messageTable(messages, { empty, isOfOneQueue = false }) {
  const columns = [
    {
      title: 'Message',
      kind: 'wide',
      cell: (message) => html`${messageName(message)} ${headersOf(message)}`,
    },
    isOfOneQueue
      ? null
      : { title: 'Queue', cell: (message) => html`<a href=${url('/queues/:queue', { queue: message.queue })}>${message.queue}</a>` },
    {
      title: 'Partition',
      cell: (message) => html`<a href=${url('/partitions/:partitionId', { partitionId: message.partitionId })}>${message.partition}</a>`,
    },
    { title: 'Offset', kind: 'num', cell: (message) => number(message.offset) },
    { title: 'State', cell: (message) => badge(message.status) },
    {
      title: 'Groups',
      kind: 'num',
      hint: 'Groups that have finished the message',
      cell: (message) => (message.busStatus.totalGroups ? `${message.busStatus.consumedBy} of ${message.busStatus.totalGroups}` : '–'),
    },
    { title: 'Pushed', kind: 'num', cell: (message) => time(message.createdAt) },
  ].filter(Boolean);
  return table(columns, messages, { key: (message) => message.id, empty, label: 'Messages' });
}
