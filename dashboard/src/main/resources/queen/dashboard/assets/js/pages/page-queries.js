// Stream queries with their queues, lags and states.
import { html } from 'lit';
import { call } from '../core/api.js';
import { bytes, number, plural, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { searchBox } from '../ui/fields.js';
import { table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';

class PageQueries extends Page {
  async load(signal) {
    return (await call('listQueries', {}, { signal })).queries;
  }

  view() {
    const { search = '' } = this.query;
    const wanted = search.toLowerCase();
    const found = this.data.filter((query) => `${query.name} ${query.sourceQueue} ${query.sinkQueue ?? ''}`.toLowerCase().includes(wanted));
    return html` <div class="toolbar">
        <div class="filters">
          ${searchBox('Search stream queries', search, (text) => refine({ search: text }), { placeholder: 'Search' })}
        </div>
      </div>
      <section class="card">
        ${table(COLUMNS, found, {
          key: (query) => query.id,
          label: 'Stream queries',
          empty: this.data.length
            ? ['No query matches.', 'Change the search.']
            : ['No stream queries yet.', 'A runner registers its query when it starts: POST /streams/v1/queries.'],
        })}
      </section>
      <p class="muted under">${plural(found.length, 'stream query', 'stream queries')}</p>`;
  }
}

const COLUMNS = [
  {
    title: 'Query',
    kind: 'wide',
    cell: (query) => html`<a class="name" href=${url('/queries/:name', { name: query.name })}>${query.name}</a>`,
  },
  { title: 'Reads', cell: (query) => html`<a href=${url('/queues/:queue', { queue: query.sourceQueue })}>${query.sourceQueue}</a>` },
  {
    title: 'Emits to',
    cell: (query) => (query.sinkQueue ? html`<a href=${url('/queues/:queue', { queue: query.sinkQueue })}>${query.sinkQueue}</a>` : '–'),
  },
  { title: 'Unread', kind: 'num', cell: (query) => number(query.lag) },
  { title: 'Oldest', kind: 'num', hint: 'Age of the oldest unread message', cell: (query) => (query.lag > 0 ? seconds(query.lagSeconds) : '–') },
  { title: 'Partitions', kind: 'num', cell: (query) => number(query.partitionCount) },
  { title: 'Keys', kind: 'num', hint: 'Rows of state', cell: (query) => number(query.stateRows) },
  { title: 'State', kind: 'num', hint: 'Bytes of keys and values', cell: (query) => bytes(query.stateBytes) },
  { title: 'Emitted', kind: 'num', cell: (query) => number(query.emitted) },
  { title: 'Last cycle', kind: 'num', cell: (query) => time(query.lastCycleAt) },
];

customElements.define('page-queries', PageQueries);
