// Who reads what, and how far behind.
import { html } from 'lit';
import { call } from '../core/api.js';
import { plural } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine } from '../core/place.js';
import { icon } from '../ui/icons.js';
import { groupTable } from './group-table.js';

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
          (!state || (group.paused ? 'paused' : group.state) === state),
      )
      .sort((a, b) => Number(b.totalLag > 0) - Number(a.totalLag > 0) || b.maxTimeLag - a.maxTimeLag || a.name.localeCompare(b.name));
    return html` <div class="toolbar">
        <div class="filters">
          <label class="search"
            >${icon('search')}<input
              type="search"
              placeholder="Search"
              aria-label="Search groups"
              .value=${search}
              @input=${(event) => refine({ search: event.target.value })}
          /></label>
          <select aria-label="State" @change=${(event) => refine({ state: event.target.value })}>
            <option value="">Any state</option>
            ${['Lagging', 'Stable', 'Dead', 'paused'].map(
              (each) =>
                html` <option value=${each} ?selected=${each === state}>
                  ${each === 'Dead' ? 'never consumed' : each.toLowerCase()}
                </option>`,
            )}
          </select>
        </div>
      </div>
      <section class="card">
        ${groupTable(found, () => this.reload(), {
          empty: this.data.length
            ? ['No group is like that.', 'Change the search or the filter.']
            : ['Nobody has read anything yet.', 'A group appears with its first pop: GET /api/v1/pop/queue/orders?consumerGroup=billing.'],
        })}
      </section>
      <p class="muted under">${plural(found.length, 'group on a queue', 'groups on queues')}</p>`;
  }
}

customElements.define('page-groups', PageGroups);
