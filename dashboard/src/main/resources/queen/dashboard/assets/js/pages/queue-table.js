// The table of queues.
import { html, nothing } from 'lit';
import { number, rate, seconds } from '../core/format.js';
import { url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { icon } from '../ui/icons.js';
import { table } from '../ui/table.js';
import '../ui/ui-spark.js';

const COLUMNS = {
  queue: {
    title: 'Queue',
    kind: 'wide',
    cell: (queue) =>
      html`<a class="name" href=${url('/queues/:queue', { queue: queue.name })}>${queue.name}</a>
        ${queue.encryptionEnabled ? html`<span class="chip" title="Payloads are encrypted">${icon('lock')}</span>` : nothing}`,
  },
  state: { title: 'State', cell: (queue) => badge(queue.state) },
  waiting: { title: 'Waiting', kind: 'num', cell: (queue) => number(queue.messages.pending) },
  processing: { title: 'Processing', kind: 'num', cell: (queue) => number(queue.messages.processing) },
  oldest: {
    title: 'Oldest',
    kind: 'num',
    hint: 'Time since the oldest unread message became due',
    cell: (queue) => (queue.lag > 0 ? seconds(queue.lag) : '–'),
  },
  partitions: { title: 'Partitions', kind: 'num', cell: (queue) => number(queue.partitions) },
  groups: { title: 'Groups', kind: 'num', cell: (queue) => number(queue.groups.length) },
  dead: {
    title: 'Dead',
    kind: 'num',
    hint: 'Dead letters',
    cell: (queue) =>
      queue.dead ? html`<a class="bad-text" href=${url('/dead-letters', { queue: queue.name })}>${number(queue.dead)}</a>` : '–',
  },
  pushed: {
    title: 'In /s',
    kind: 'num trend',
    hint: 'Messages pushed per second, over the last hour',
    cell: (queue) =>
      html`<a href=${url('/queues/:queue', { queue: queue.name })} title="Open its charts"
        >${rate(queue.pushed.at(-1) ?? 0)}<ui-spark .values=${queue.pushed} kind="s1"></ui-spark
      ></a>`,
  },
};

/** @param options {columns: names of the columns (default: all), empty} */
export function queueTable(queues, { columns = Object.keys(COLUMNS), empty }) {
  return table(
    columns.map((name) => COLUMNS[name]),
    queues,
    { key: (queue) => queue.id, label: 'Queues', empty },
  );
}
