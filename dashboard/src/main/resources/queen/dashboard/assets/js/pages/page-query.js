// A stream query: its partitions, and the state of one of them.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { bytes, exact, number, plural, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { go, refine, url } from '../core/place.js';
import { action } from '../ui/buttons.js';
import { searchBox } from '../ui/fields.js';
import { card, facts, table } from '../ui/table.js';
import { ask } from '../ui/ui-ask.js';
import { pretty } from '../ui/ui-json.js';
import { time } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';

const PARTITIONS_SHOWN = 200;
const ROWS_SHOWN = 100;

class PageQuery extends Page {
  async load(signal) {
    const { name } = this.params;
    const { partition, prefix, after } = this.query;
    const [query, state] = await Promise.all([
      call('showQuery', { name, limit: PARTITIONS_SHOWN }, { signal }),
      partition ? call('listState', { name, partition: partition, prefix, after, limit: ROWS_SHOWN }, { signal }) : null,
    ]);
    return { query, state };
  }

  view() {
    const { query, state } = this.data;
    return html` <div class="toolbar">
        <div class="summary">
          <span><b>${number(query.lag)}</b> unread</span><span><b>${number(query.stateRows)}</b> keys</span
          ><span><b>${bytes(query.stateBytes)}</b> of state</span>
        </div>
        <div class="actions">
          ${action('resetQuery', 'Reset', () => this.#reset(query), { icon: 'replay', danger: true })}
          ${action('deleteQuery', 'Delete', () => this.#delete(query), { icon: 'trash', danger: true })}
        </div>
      </div>
      ${card('Query', facts(this.#facts(query)))}
      ${card(
        'Partitions',
        table(this.#partitionColumns(), query.partitions, {
          key: (partition) => partition.partitionId,
          label: 'Partitions',
          row: (partition) => (partition.partition === this.query.partition ? 'chosen' : ''),
          empty: ['No partitions yet.', 'A partition appears with its first cycle: POST /streams/v1/cycle.'],
        }),
        html`<span class="muted"
          >${query.partitions.length >= PARTITIONS_SHOWN ? `the first ${PARTITIONS_SHOWN} by name` : plural(query.partitions.length, 'partition')}</span
        >`,
      )}
      ${state ? this.#state(state.rows) : nothing}`;
  }

  #facts(query) {
    return [
      ['Reads', html`<a href=${url('/queues/:queue', { queue: query.sourceQueue })}>${query.sourceQueue}</a>`],
      query.sinkQueue ? ['Emits to', html`<a href=${url('/queues/:queue', { queue: query.sinkQueue })}>${query.sinkQueue}</a>`] : null,
      ['Group', html`<a href=${url('/groups/:group', { group: query.consumerGroup })}>${query.consumerGroup}</a>`],
      ['Oldest unread', query.lag > 0 ? seconds(query.lagSeconds) : '–'],
      ['Cycles', html`${number(query.cycles)}, ${number(query.flushes)} of them flushes`],
      ['Messages', number(query.messages)],
      ['Emitted', number(query.emitted)],
      ['Last cycle', time(query.lastCycleAt)],
      ['Fingerprint', html`<span class="mono">${query.configHash}</span>`],
      ['Registered', time(query.createdAt)],
      query.resetAt ? ['Reset', time(query.resetAt)] : null,
    ];
  }

  #partitionColumns() {
    const { name } = this.params;
    return [
      {
        title: 'Partition',
        kind: 'wide',
        cell: (partition) => html`<a class="name" href=${url('/queries/:name', { name, partition: partition.partition })}>${partition.partition}</a>`,
      },
      { title: 'Unread', kind: 'num', cell: (partition) => number(partition.unread) },
      { title: 'Keys', kind: 'num', cell: (partition) => number(partition.stateRows) },
      { title: 'State', kind: 'num', cell: (partition) => bytes(partition.stateBytes) },
      { title: 'Cycles', kind: 'num', cell: (partition) => number(partition.cycles) },
      { title: 'Flushes', kind: 'num', cell: (partition) => number(partition.flushes) },
      { title: 'Emitted', kind: 'num', cell: (partition) => number(partition.emitted) },
      { title: 'Last cycle', kind: 'num', cell: (partition) => time(partition.lastCycleAt) },
      { title: 'Lease ends', kind: 'num', cell: (partition) => time(partition.leasedUntil) },
    ];
  }

  #state(rows) {
    const { partition, prefix = '', after } = this.query;
    const next = rows.length >= ROWS_SHOWN ? rows.at(-1).key : null;
    return card(
      html`State of ${partition}`,
      table(STATE_COLUMNS, rows, {
        key: (row) => row.key,
        label: `State of ${partition}`,
        empty: prefix || after ? ['No key matches.', 'Change the prefix.'] : ['No state.', 'The state was flushed or never written.'],
      }),
      html`${searchBox('Key prefix', prefix, (text) => refine({ prefix: text, after: null }), { placeholder: 'Key prefix' })}
      ${after ? html`<button type="button" class="small" @click=${() => refine({ after: null })}>First keys</button>` : nothing}
      ${next ? html`<button type="button" class="small" @click=${() => refine({ after: next })}>More keys</button>` : nothing}`,
    );
  }

  #reset(query) {
    return ask({
      title: `Reset ${query.name}?`,
      verb: 'Delete the state',
      danger: true,
      loss: html`${plural(query.stateRows, 'key')} in ${plural(query.partitionCount, 'partition')} will be deleted: open windows, counters, gates. The position of its group
      is kept; move the group to process messages again.`,
      act: async () => {
        const answer = await call('resetQuery', { name: query.name });
        toast(`${query.name} has no state any more; it had ${plural(answer.stateRows, 'key')}.`);
        this.reload();
      },
    });
  }

  #delete(query) {
    return ask({
      title: `Delete ${query.name}?`,
      verb: 'Delete the query',
      danger: true,
      loss: html`${plural(query.stateRows, 'key')} of state and the position of its group in ${query.sourceQueue} will be deleted. A runner that
      registers the query again starts from the beginning.`,
      act: async () => {
        await call('deleteQuery', { name: query.name });
        toast(`${query.name} was deleted.`);
        go('/queries');
      },
    });
  }
}

const STATE_COLUMNS = [
  { title: 'Key', kind: 'wide', cell: (row) => html`<span class="mono">${row.key}</span>` },
  { title: 'Value', cell: (row) => value(row) },
  { title: 'Window ends', kind: 'num', cell: (row) => (row.windowEnd === null ? '–' : exact(Number(row.windowEnd))) },
  { title: 'Size', kind: 'num', cell: (row) => bytes(row.bytes) },
  { title: 'Written', kind: 'num', cell: (row) => time(row.updatedAt) },
];

function value(row) {
  if (row.isEncrypted) return html`<span class="muted">encrypted</span>`;
  if (row.value === null && row.bytes > 4) return html`<span class="muted">too long to show</span>`;
  return html`<span class="mono">${pretty(row.value)}</span>`;
}

customElements.define('page-query', PageQuery);
