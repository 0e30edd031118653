// Traces of consumers by name. A name can connect messages of several queues.
import { html } from 'lit';
import { call } from '../core/api.js';
import { number, plural } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { searchBox } from '../ui/fields.js';
import { empty } from '../ui/states.js';
import { card, table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';
import { timeline } from './trace-timeline.js';

const NAMES_SHOWN = 200;

class PageTraces extends Page {
  async load(signal) {
    const [names, traces] = await Promise.all([
      call('traceNames', { limit: NAMES_SHOWN }, { signal }),
      this.query.name ? call('tracesByName', { name: this.query.name, limit: 200 }, { signal }) : null,
    ]);
    return { names: names.trace_names, total: names.total, traces };
  }

  view() {
    const { names, total, traces } = this.data;
    const { search = '', name } = this.query;
    const found = names.filter((each) => each.trace_name.toLowerCase().includes(search.toLowerCase()));
    return html` <div class="toolbar">
        <div class="filters">
          ${searchBox('Search traces', search, (text) => refine({ search: text }), {
            placeholder: 'Name of a trace',
            onEnter: (text) => refine({ search: text, name: text }),
          })}
        </div>
      </div>
      <div class="columns one-two">
        ${card(
          'Names',
          table(COLUMNS, found, {
            key: (each) => each.trace_name,
            label: 'Names',
            row: (each) => (each.trace_name === name ? 'chosen' : ''),
            empty: search
              ? ['No trace matches.', 'Press Enter to search the exact name.']
              : ['No named traces yet.', 'Consumers record traces with POST /api/v1/traces.'],
          }),
          html`<span class="muted">${plural(total, 'name')}</span>`,
        )}
        ${card(
          name ? html`<span class="mono">${name}</span>` : 'Records',
          traces
            ? timeline(traces.traces, ['No trace of this name.', 'Traces are deleted with their message.'], { withMessage: true })
            : empty('Select a name.', 'Its records in all queues are shown here, in the order of their times.'),
          traces ? html`<span class="muted">${plural(traces.total, 'note')}</span>` : '',
        )}
      </div>`;
  }
}

const COLUMNS = [
  {
    title: 'Name',
    kind: 'wide',
    cell: (each) => html`<a class="name mono" href=${url('/traces', { name: each.trace_name })}>${each.trace_name}</a>`,
  },
  { title: 'Records', kind: 'num', cell: (each) => number(each.trace_count) },
  { title: 'Messages', kind: 'num', cell: (each) => number(each.message_count) },
  { title: 'Last', kind: 'num', cell: (each) => time(each.last_seen) },
];

customElements.define('page-traces', PageTraces);
