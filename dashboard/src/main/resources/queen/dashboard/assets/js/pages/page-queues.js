// All queues, worst state first.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { plural } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine } from '../core/place.js';
import { complete } from '../core/range.js';
import { action } from '../ui/buttons.js';
import { choice, named, searchBox } from '../ui/fields.js';
import { createQueue } from './queue-form.js';
import { SORTS, withHealth } from './queue-health.js';
import { queueTable } from './queue-table.js';

const SHOWN_MAX = 200;
const ORDERS = Object.entries({ worst: 'Worst first', pending: 'Most waiting', partitions: 'Most partitions', name: 'By name', newest: 'Newest' });

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
          ${searchBox('Search queues', search, (text) => refine({ search: text }), { placeholder: 'Search' })}
          ${this.#choice('namespace', 'All namespaces', (queue) => queue.namespace)}
          ${this.#choice('task', 'All tasks', (queue) => queue.task)} ${this.#choice('health', 'Any state', (queue) => queue.state)}
          ${choice('Order', ORDERS, sort, (name) => refine({ sort: name === 'worst' ? null : name }))}
        </div>
        ${action('configure', 'New queue', createQueue, { icon: 'plus', primary: true })}
      </div>
      <section class="card">
        ${queueTable(found.slice(0, SHOWN_MAX), {
          empty: this.data.length
            ? ['No queue matches.', 'Change the search or the filters.']
            : ['No queues yet.', 'Push a message, or use the button above.'],
        })}
      </section>
      <p class="muted under">
        ${plural(found.length, 'queue')}${found.length > SHOWN_MAX ? `; the first ${SHOWN_MAX} are shown` : ''}
      </p>`;
  }

  #choice(name, all, valueOf) {
    const values = [...new Set(this.data.map(valueOf))].filter(Boolean).sort();
    if (values.length < 2 && !this.query[name]) return nothing;
    return choice(all, [['', all], ...named(values)], this.query[name], (value) => refine({ [name]: value }));
  }
}

customElements.define('page-queues', PageQueues);
