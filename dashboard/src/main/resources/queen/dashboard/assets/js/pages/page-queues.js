// All queues, the worst first.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { number, plural, rate, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { complete } from '../core/range.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { icon } from '../ui/icons.js';
import { table } from '../ui/table.js';
import { createQueue } from './queue-form.js';
import { SORTS, withHealth } from './queue-health.js';
import '../ui/ui-spark.js';

const SHOWN_MAX = 200;
const SORT_NAMES = { worst: 'Worst first', pending: 'Most waiting', lanes: 'Most lanes', name: 'By name', newest: 'Newest' };

class PageQueues extends Page {
  async load(signal) {
    const [queues, groups, ops, errors] = await Promise.all([
      call('listQueues', { limit: 10_000 }, { signal }),
      call('listGroups', {}, { signal }),
      callOr({ series: [] }, 'queueOps', {}, { signal }),
      callOr({ errors: [] }, 'listErrors', { limit: 1000 }, { signal }),
    ]);
    const series = Map.groupBy(ops.series, (point) => point.queueName);
    const dead = Map.groupBy(errors.errors, (error) => error.queue);
    return withHealth(queues.queues, groups).map((queue) => ({
      ...queue,
      pushed: complete(series.get(queue.name) ?? [], {}).map((point) => point.pushPerSecond),
      dead: (dead.get(queue.name) ?? []).reduce((sum, error) => sum + error.count, 0),
    }));
  }

  view() {
    const { search = '', namespace, task, health, sort = 'worst' } = this.query;
    const wanted = search.toLowerCase();
    const found = this.data
      .filter(
        (queue) =>
          queue.name.toLowerCase().includes(wanted) &&
          (!namespace || queue.namespace === namespace) &&
          (!task || queue.task === task) &&
          (!health || queue.state === health),
      )
      .sort(SORTS[sort] ?? SORTS.worst);
    return html` <div class="toolbar">
        <div class="filters">
          <label class="search"
            >${icon('search')}<input
              type="search"
              placeholder="Search"
              aria-label="Search queues"
              .value=${search}
              @input=${(event) => refine({ search: event.target.value })}
          /></label>
          ${this.#choice('namespace', 'All namespaces', (queue) => queue.namespace)}
          ${this.#choice('task', 'All tasks', (queue) => queue.task)} ${this.#choice('health', 'Any state', (queue) => queue.state)}
          <select aria-label="Order" @change=${(event) => refine({ sort: event.target.value === 'worst' ? null : event.target.value })}>
            ${Object.entries(SORT_NAMES).map(([name, label]) => html`<option value=${name} ?selected=${name === sort}>${label}</option>`)}
          </select>
        </div>
        ${action('configure', 'New queue', createQueue, { icon: 'plus', primary: true })}
      </div>
      <section class="card">
        ${table(COLUMNS, found.slice(0, SHOWN_MAX), {
          key: (queue) => queue.id,
          label: 'Queues',
          empty: this.data.length
            ? ['No queue is like that.', 'Change the search or the filters.']
            : ['There is no queue yet.', 'The first push creates one, and so does the button above.'],
        })}
      </section>
      <p class="muted under">
        ${plural(found.length, 'queue')}${found.length > SHOWN_MAX ? `, the first ${SHOWN_MAX} of which are shown` : ''}
      </p>`;
  }

  #choice(name, all, valueOf) {
    const values = [...new Set(this.data.map(valueOf))].filter(Boolean).sort();
    if (values.length < 2 && !this.query[name]) return nothing;
    return html`<select aria-label=${all} @change=${(event) => refine({ [name]: event.target.value })}>
      <option value="">${all}</option>
      ${values.map((value) => html`<option value=${value} ?selected=${this.query[name] === value}>${value}</option>`)}
    </select>`;
  }
}

const COLUMNS = [
  {
    title: 'Queue',
    kind: 'wide',
    cell: (queue) =>
      html`<a class="name" href=${url('/queues/:queue', { queue: queue.name })}>${queue.name}</a>
        ${queue.encryptionEnabled ? html`<span class="chip" title="Payloads are encrypted">${icon('lock')}</span>` : nothing}`,
  },
  { title: 'State', cell: (queue) => badge(queue.state) },
  { title: 'Waiting', kind: 'num', cell: (queue) => number(queue.messages.pending) },
  { title: 'Processing', kind: 'num', cell: (queue) => number(queue.messages.processing) },
  {
    title: 'Oldest',
    kind: 'num',
    hint: 'Age of the oldest message that a group has not read',
    cell: (queue) => (queue.lag > 0 ? seconds(queue.lag) : '–'),
  },
  { title: 'Lanes', kind: 'num', cell: (queue) => number(queue.partitions) },
  { title: 'Groups', kind: 'num', cell: (queue) => number(queue.groups.length) },
  {
    title: 'Dead',
    kind: 'num',
    hint: 'Dead letters',
    cell: (queue) =>
      queue.dead ? html`<a class="bad-text" href=${url('/dead-letters', { queue: queue.name })}>${number(queue.dead)}</a>` : '–',
  },
  {
    title: 'In /s',
    kind: 'num trend',
    hint: 'Messages pushed per second, over the last hour',
    cell: (queue) => html`<span>${rate(queue.pushed.at(-1) ?? 0)}</span><ui-spark .values=${queue.pushed} kind="s1"></ui-spark>`,
  },
];

customElements.define('page-queues', PageQueues);
