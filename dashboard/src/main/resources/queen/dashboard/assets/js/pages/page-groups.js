// All groups with their queues and lags.
import { html } from 'lit';
import { call } from '../core/api.js';
import { plural } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine } from '../core/place.js';
import { choice, searchBox } from '../ui/fields.js';
import { groupTable } from './group-table.js';

const STATES = [
  ['', 'Any state'],
  ['Lagging', 'lagging'],
  ['Dead', 'dead'],
  ['Stable', 'stable'],
  ['Idle', 'idle'],
  ['Paused', 'paused'],
];

class PageGroups extends Page {
  async load(signal) {
    return call('listGroups', {}, { signal });
  }

  view() {
    const { search = '', queue, state } = this.query;
    const wanted = search.toLowerCase();
    const found = this.data
      .filter(
        (group) =>
          `${group.name} ${group.queueName}`.toLowerCase().includes(wanted) &&
          (!queue || group.queueName === queue) &&
          (!state || group.state === state),
      )
      .sort((a, b) => Number(b.totalLag > 0) - Number(a.totalLag > 0) || b.oldestUnreadSeconds - a.oldestUnreadSeconds || a.name.localeCompare(b.name));
    return html` <div class="toolbar">
        <div class="filters">
          ${searchBox('Search groups', search, (text) => refine({ search: text }), { placeholder: 'Search' })}
          ${choice('State', STATES, state, (value) => refine({ state: value }))}
        </div>
      </div>
      <section class="card">
        ${groupTable(found, () => this.reload(), {
          empty: this.data.length
            ? ['No group matches.', 'Change the search or the filter.']
            : ['No groups yet.', 'A group appears with its first pop: GET /api/v1/pop/queue/orders?consumerGroup=billing.'],
        })}
      </section>
      <p class="muted under">${plural(found.length, 'group on a queue', 'groups on queues')}</p>`;
  }
}

customElements.define('page-groups', PageGroups);
