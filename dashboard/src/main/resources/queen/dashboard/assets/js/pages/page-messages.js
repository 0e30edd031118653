// Messages of all queues, newest first, narrowed down by the address.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { number } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine } from '../core/place.js';
import { rangeOf } from '../core/range.js';
import { icon } from '../ui/icons.js';
import { messageTable } from './message-table.js';
import '../ui/ui-range.js';

const SHOWN = 100;
const SEARCHED = 1000;
const STATES = [
  ['', 'Any state'],
  ['pending', 'pending'],
  ['processing', 'processing'],
  ['completed', 'completed'],
  ['dead_letter', 'dead letter'],
];

class PageMessages extends Page {
  async load(signal) {
    const { queue, partition, status, search, offset = 0 } = this.query;
    const [answer, queues] = await Promise.all([
      call('listMessages', { queue, partition, status, ...rangeOf(this.query), limit: search ? SEARCHED : SHOWN, offset }, { signal }),
      callOr({ queues: [] }, 'listQueues', { limit: 1000 }, { signal }),
    ]);
    return { messages: answer.messages, queues: queues.queues.map((each) => each.name).sort() };
  }

  view() {
    const { queue = '', partition = '', status = '', search = '', offset = 0 } = this.query;
    const wanted = search.toLowerCase();
    const { messages, queues } = this.data;
    const found = messages.filter((message) =>
      [message.transactionId, message.id, message.traceId, message.producerSub].some((text) => text?.toLowerCase().includes(wanted)),
    );
    const first = Number(offset);
    return html` <div class="toolbar">
        <div class="filters">
          <label class="search"
            >${icon('search')}<input
              type="search"
              placeholder="transactionId, id or traceId"
              aria-label="Search messages"
              .value=${search}
              @input=${(event) => refine({ search: event.target.value, offset: null })}
          /></label>
          <select aria-label="Queue" @change=${(event) => refine({ queue: event.target.value, offset: null })}>
            <option value="">All queues</option>
            ${queues.map((each) => html`<option value=${each} ?selected=${each === queue}>${each}</option>`)}
          </select>
          <label class="search"
            ><input
              type="search"
              placeholder="Lane"
              aria-label="Lane"
              .value=${partition}
              @change=${(event) => refine({ partition: event.target.value, offset: null })}
          /></label>
          <select aria-label="State" @change=${(event) => refine({ status: event.target.value, offset: null })}>
            ${STATES.map(([value, label]) => html` <option value=${value} ?selected=${value === status}>${label}</option>`)}
          </select>
        </div>
        <ui-range .query=${this.query}></ui-range>
      </div>
      <section class="card">
        ${messageTable(found, { empty: ['No message is like that.', 'Widen the range of time, or drop a filter.'] })}
      </section>
      <div class="toolbar under">
        <span class="muted"
          >${
            search
              ? `found ${number(found.length)} among the newest ${number(messages.length)}`
              : found.length
                ? `${number(first + 1)} to ${number(first + found.length)}, newest first`
                : nothing
          }</span
        >
        <div class="actions">
          ${first > 0 ? html`<button @click=${() => refine({ offset: Math.max(0, first - SHOWN) || null })}>Newer</button>` : nothing}
          ${!search && messages.length === SHOWN ? html`<button @click=${() => refine({ offset: first + SHOWN })}>Older</button>` : nothing}
        </div>
      </div>`;
  }
}

customElements.define('page-messages', PageMessages);
