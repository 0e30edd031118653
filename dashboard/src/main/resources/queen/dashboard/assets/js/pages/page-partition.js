// A partition: its messages from tail to head, the positions of groups, the reason why the next message waits, and actions.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { groupName, number } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { card } from '../ui/table.js';
import { time } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';
import { log } from './partition-log.js';
import { tracks } from './partition-tracks.js';
import { why } from './partition-why.js';
import { clearQueue, pushForm } from './queue-form.js';

const SHOWN = 40;
const BEFORE = 8;

class PagePartition extends Page {
  interval = 3000;

  async load(signal) {
    const { partitionId } = this.params;
    const partition = await call('showPartition', { partitionId }, { signal });
    const trail = [[partition.queue, url('/queues/:queue', { queue: partition.queue, tab: 'partitions' })], [partition.name]];
    this.dispatchEvent(new CustomEvent('named', { detail: trail, bubbles: true }));
    const group = partition.groups.find((each) => each.consumerGroup === this.query.group) ?? slowest(partition.groups);
    const window = this.#window(partition, group);
    const [explanation, listed] = await Promise.all([
      callOr(null, 'explainPartition', { partitionId, consumerGroup: group?.consumerGroup }, { signal }),
      window.end > window.start
        ? call(
            'listMessages',
            {
              queue: partition.queue,
              partition: partition.name,
              from: '2000-01-01T00:00:00Z',
              limit: window.end - window.start,
              offset: partition.head - window.end,
            },
            { signal },
          )
        : { messages: [] },
    ]);
    return { partition, group, explanation, window, messages: listed.messages.toReversed() };
  }

  /** Returns the shown offsets: those around the position of the group, or those in the address. */
  #window(partition, group) {
    const wanted = this.query.at === undefined ? (group?.offset ?? partition.tail) - BEFORE : Number(this.query.at);
    const start = Math.max(partition.tail, Math.min(wanted, partition.head - 1));
    return { start, end: Math.min(partition.head, start + SHOWN) };
  }

  view() {
    const { partition, group } = this.data;
    return html` <div class="toolbar">
        <div class="summary">
          ${partition.paused ? badge('paused') : nothing}
          <span><b>${number(partition.messages.total)}</b> stored</span><span class="muted">last push ${time(partition.lastPushAt)}</span>
        </div>
        <div class="actions">
          ${action('push', 'Push', () => this.#then(pushForm(partition.queue, partition.name)), { icon: 'send' })}
          ${
            partition.paused
              ? action('resumePartition', 'Resume', () => this.#pause('resumePartition'), { icon: 'play', primary: true })
              : action('pausePartition', 'Pause', () => this.#pause('pausePartition'), {
                  icon: 'pause',
                  title: 'Stop delivering messages of this partition; pushes are accepted',
                })
          }
          ${action('clearQueue', 'Clear', () => this.#then(clearQueue(partition.queue, partition.messages, partition.name)), { icon: 'trash', danger: true })}
        </div>
      </div>
      <div class="columns partition-columns">
        <div class="stack">
          ${card(
            'Groups',
            tracks(partition, group?.consumerGroup, (name) => refine({ group: name, at: null })),
            html`<span class="muted">tail ${number(partition.tail)} · head ${number(partition.head)}</span>`,
          )}
          ${card(
            'Messages',
            log(this.data, () => this.reload()),
            this.#pager(),
          )}
        </div>
        ${why(this.data, () => this.reload())}
      </div>`;
  }

  #pager() {
    const { partition, window, group } = this.data;
    const to = (at) => () => refine({ at });
    return html`<span class="muted"
        >${window.end > window.start ? html`${number(window.start)} – ${number(window.end - 1)}` : nothing}</span
      >
      <a href=${url('/messages', { queue: partition.queue, partition: partition.name, range: '24h' })}>Search</a>
      <div class="range small" role="group" aria-label="Shown messages">
        <button type="button" @click=${to(partition.tail)}>Tail</button>
        <button type="button" aria-label="Earlier" ?disabled=${window.start <= partition.tail} @click=${to(window.start - SHOWN)}>‹</button>
        <button type="button" aria-pressed=${this.query.at === undefined} @click=${to(null)}>
          ${group ? groupName(group.consumerGroup) : 'Tail'}
        </button>
        <button type="button" aria-label="Later" ?disabled=${window.end >= partition.head} @click=${to(window.end)}>›</button>
        <button type="button" @click=${to(Math.max(partition.tail, partition.head - SHOWN))}>Head</button>
      </div>`;
  }

  async #pause(operation) {
    await call(operation, { partitionId: this.params.partitionId });
    toast(operation === 'pausePartition' ? 'Paused: messages of this partition are not delivered.' : 'Resumed.');
    this.reload();
  }

  async #then(question) {
    if (await question) this.reload();
  }
}

function slowest(groups) {
  return groups.toSorted((a, b) => b.offsetLag - a.offsetLag)[0];
}

customElements.define('page-partition', PagePartition);
