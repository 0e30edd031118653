// One lane: its messages from tail to head, where each group stands in it, why the next one waits, and how to get it moving.
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
import { log } from './lane-log.js';
import { tracks } from './lane-tracks.js';
import { why } from './lane-why.js';
import { clearQueue, pushForm } from './queue-form.js';

const SHOWN = 40;
const BEFORE = 8;

class PageLane extends Page {
  interval = 3000;

  async load(signal) {
    const { partitionId } = this.params;
    const lane = await call('showLane', { partitionId }, { signal });
    const trail = [[lane.queue, url('/queues/:queue', { queue: lane.queue, tab: 'lanes' })], [lane.name]];
    this.dispatchEvent(new CustomEvent('named', { detail: trail, bubbles: true }));
    const group = lane.groups.find((each) => each.consumerGroup === this.query.group) ?? slowest(lane.groups);
    const window = this.#window(lane, group);
    const [explanation, listed] = await Promise.all([
      callOr(null, 'explainLane', { partitionId, consumerGroup: group?.consumerGroup }, { signal }),
      window.end > window.start
        ? call(
            'listMessages',
            {
              queue: lane.queue,
              partition: lane.name,
              from: '2000-01-01T00:00:00Z',
              limit: window.end - window.start,
              offset: lane.head - window.end,
            },
            { signal },
          )
        : { messages: [] },
    ]);
    return { lane, group, explanation, window, messages: listed.messages.toReversed() };
  }

  /** Which offsets are shown: those around the group's position, unless the address says otherwise. */
  #window(lane, group) {
    const wanted = this.query.at === undefined ? (group?.offset ?? lane.tail) - BEFORE : Number(this.query.at);
    const start = Math.max(lane.tail, Math.min(wanted, lane.head - 1));
    return { start, end: Math.min(lane.head, start + SHOWN) };
  }

  view() {
    const { lane, group } = this.data;
    return html` <div class="toolbar">
        <div class="summary">
          ${lane.paused ? badge('paused') : nothing}
          <span><b>${number(lane.messages.total)}</b> stored</span><span class="muted">last push ${time(lane.lastPushAt)}</span>
        </div>
        <div class="actions">
          ${action('push', 'Push', () => this.#then(pushForm(lane.queue, lane.name)), { icon: 'send' })}
          ${
            lane.paused
              ? action('resumeLane', 'Resume', () => this.#pause('resumeLane'), { icon: 'play', primary: true })
              : action('pauseLane', 'Pause', () => this.#pause('pauseLane'), {
                  icon: 'pause',
                  title: 'Hand out nothing of this lane; pushes go on',
                })
          }
          ${action('clearQueue', 'Clear', () => this.#then(clearQueue(lane.queue, lane.messages, lane.name)), { icon: 'trash', danger: true })}
        </div>
      </div>
      <div class="columns lane-columns">
        <div class="stack">
          ${card(
            'Groups',
            tracks(lane, group?.consumerGroup, (name) => refine({ group: name, at: null })),
            html`<span class="muted">tail ${number(lane.tail)} · head ${number(lane.head)}</span>`,
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
    const { lane, window, group } = this.data;
    const to = (at) => () => refine({ at });
    return html`<span class="muted"
        >${window.end > window.start ? html`${number(window.start)} – ${number(window.end - 1)}` : nothing}</span
      >
      <a href=${url('/messages', { queue: lane.queue, partition: lane.name, range: '24h' })}>Search</a>
      <div class="range small" role="group" aria-label="Which messages">
        <button type="button" @click=${to(lane.tail)}>Tail</button>
        <button type="button" aria-label="Earlier" ?disabled=${window.start <= lane.tail} @click=${to(window.start - SHOWN)}>‹</button>
        <button type="button" aria-pressed=${this.query.at === undefined} @click=${to(null)}>
          ${group ? groupName(group.consumerGroup) : 'Tail'}
        </button>
        <button type="button" aria-label="Later" ?disabled=${window.end >= lane.head} @click=${to(window.end)}>›</button>
        <button type="button" @click=${to(Math.max(lane.tail, lane.head - SHOWN))}>Head</button>
      </div>`;
  }

  async #pause(operation) {
    await call(operation, { partitionId: this.params.partitionId });
    toast(operation === 'pauseLane' ? 'Paused: nothing of this lane is handed out.' : 'Resumed.');
    this.reload();
  }

  async #then(question) {
    if (await question) this.reload();
  }
}

function slowest(groups) {
  return groups.toSorted((a, b) => b.offsetLag - a.offsetLag)[0];
}

customElements.define('page-lane', PageLane);
