// Messages of all queues, newest first, filtered by the address.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { number } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine } from '../core/place.js';
import { rangeOf } from '../core/range.js';
import { choice, named, searchBox } from '../ui/fields.js';
import { messageTable } from './message-table.js';
import '../ui/ui-range.js';

const SHOWN = 100;
const SEARCHED = 1000;
const SEARCH_ADVICE = `The newest ${number(SEARCHED)} messages of the range were searched. Increase the range, or select the queue and partition: there any
message is found by its complete transactionId.`;
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
    const names = queues.queues.map((each) => each.name).sort();
    return { messages: answer.messages, queues: names, exact: await this.#exact(answer.messages, signal) };
  }

  /** Finds a message of a partition by its complete transactionId, independent of its age. */
  async #exact(messages, signal) {
    const { queue, partition, search } = this.query;
    if (!queue || !partition || !search || messages.some((message) => message.transactionId?.includes(search))) return null;
    const answer = await callOr({ partitions: [] }, 'listPartitionsOfQueue', { queue, search: partition, limit: 100 }, { signal });
    const found = answer.partitions.find((each) => each.name === partition);
    return found ? callOr(null, 'showMessage', { partitionId: found.id, transactionId: search }, { signal }) : null;
  }

  view() {
    const { queue = '', partition = '', status = '', search = '', offset = 0 } = this.query;
    const wanted = search.toLowerCase();
    const { messages, queues, exact } = this.data;
    const like = messages.filter((message) =>
      [message.transactionId, message.id, message.traceId, message.producerSub, ...Object.values(message.headers ?? {})].some((text) =>
        text?.toLowerCase().includes(wanted),
      ),
    );
    const found = like.length === 0 && exact ? [exact] : like;
    const first = Number(offset);
    const filter = (name) => (value) => refine({ [name]: value, offset: null });
    return html` <div class="toolbar">
        <div class="filters">
          ${searchBox('Search messages', search, filter('search'), { placeholder: 'transactionId, id or traceId' })}
          ${choice('Queue', [['', 'All queues'], ...named(queues)], queue, filter('queue'))}
          ${searchBox('Partition', partition, filter('partition'), { isWhole: true })}
          ${choice('State', STATES, status, filter('status'))}
        </div>
        <ui-range .query=${this.query}></ui-range>
      </div>
      <section class="card">
        ${messageTable(found, { empty: ['No message matches.', search ? SEARCH_ADVICE : 'Increase the time range, or remove a filter.'] })}
      </section>
      <div class="toolbar under">
        <span class="muted"
          >${
            search
              ? `${number(like.length)} of the newest ${number(messages.length)} in this range${exact && found[0] === exact ? ' and an older one' : ''}`
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
