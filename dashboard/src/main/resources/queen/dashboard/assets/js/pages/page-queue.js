// A queue: activity, partitions, groups, newest messages and settings.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { groupName, number } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { complete, rangeOf } from '../core/range.js';
import { session } from '../core/session.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { choice, searchBox } from '../ui/fields.js';
import { card, tabs } from '../ui/table.js';
import { chartCard } from '../ui/ui-chart.js';
import { toast } from '../ui/ui-toasts.js';
import { time } from '../ui/ui-time.js';
import { groupTable } from './group-table.js';
import { partitionTable } from './partition-table.js';
import { messageTable } from './message-table.js';
import { clearQueue, deleteQueue, pushForm } from './queue-form.js';
import { isFull } from './queue-health.js';
import '../ui/ui-range.js';
import './queue-settings.js';

const TABS = [
  ['activity', 'Activity'],
  ['partitions', 'Partitions'],
  ['groups', 'Groups'],
  ['tail', 'Live tail'],
  ['settings', 'Settings'],
];
const ORDERS = [
  ['lag', 'Deepest first'],
  ['name', 'By name'],
];
const PARTITIONS_SHOWN = 100;
const TAIL_SHOWN = 100;

class PageQueue extends Page {
  get tab() {
    return this.query.tab ?? 'activity';
  }

  async load(signal) {
    const { queue } = this.params;
    this.interval = this.tab === 'tail' ? 1500 : 5000;
    const [shown, groups, part] = await Promise.all([
      call('showQueue', { queue, limit: 1 }, { signal }),
      call('listGroups', {}, { signal }),
      this.#part(queue, signal),
    ]);
    return { shown, groups: groups.filter((group) => group.queueName === queue), tab: this.tab, part };
  }

  async #part(queue, signal) {
    const { search, group, sort = 'lag', after } = this.query;
    switch (this.tab) {
      case 'activity': {
        const wanted = { queue, ...rangeOf(this.query) };
        const [ops, retention, status] = await Promise.all([
          call('queueOps', wanted, { signal }),
          call('retention', wanted, { signal }),
          call('status', wanted, { signal }),
        ]);
        return {
          ops: complete(ops.series, this.query),
          removed: complete(retention.series, this.query),
          refused: status.throughput.toReversed(),
        };
      }
      case 'partitions': {
        const worst = sort === 'lag' && !search;
        const page = await call(
          'listPartitionsOfQueue',
          { queue, search, consumerGroup: group, sort: worst ? 'lag' : 'name', limit: PARTITIONS_SHOWN, after },
          { signal },
        );
        return worst && page.partitions.length === 0
          ? call('listPartitionsOfQueue', { queue, consumerGroup: group, sort: 'name', limit: PARTITIONS_SHOWN, after }, { signal })
          : page;
      }
      case 'tail': {
        const answer = await call('listMessages', { queue, from: '2000-01-01T00:00:00Z', limit: TAIL_SHOWN }, { signal });
        return answer.messages;
      }
      default:
        return null;
    }
  }

  view() {
    const { shown } = this.data;
    const { totals } = shown;
    return html` <div class="toolbar">
        <div class="summary">
          ${shown.paused ? badge('paused') : nothing}
          ${isFull({ maxSize: shown.options.maxSize, messages: totals }) ? badge('full') : nothing} <span><b>${number(totals.pending)}</b> waiting</span
          ><span><b>${number(totals.processing)}</b> processing</span>
          <span><b>${number(totals.total)}</b> stored</span>
          <a href=${url('/dead-letters', { queue: shown.name })}><b>${number(totals.deadLetter)}</b> dead letters</a>
          <span class="muted">created ${time(shown.createdAt)}</span>
          ${shown.operations.map(
            (each) =>
              html`<span
                >${each.kind} in progress: <b>${number(each.partitionsDone)}</b>
                ${each.partitionsTotal === null ? nothing : html`of ${number(each.partitionsTotal)}`} partitions</span
              >`,
          )}
        </div>
        <div class="actions">
          ${action('push', 'Push', () => this.#then(pushForm(shown.name)), { icon: 'send', primary: true })}
          ${
            shown.paused
              ? action('resumeQueue', 'Resume', () => this.#pause('resumeQueue'), { icon: 'play' })
              : action('pauseQueue', 'Pause', () => this.#pause('pauseQueue'), {
                  icon: 'pause',
                  title: 'Stop delivering messages of this queue; pushes are accepted',
                })
          }
          ${action('clearQueue', 'Clear', () => this.#then(clearQueue(shown.name, totals)), { icon: 'trash', danger: true })}
          ${action('deleteQueue', 'Delete', () => deleteQueue(shown.name, totals), { icon: 'close', danger: true })}
        </div>
      </div>
      ${tabs(this.tab, TABS, refine)} ${this.data.tab === this.tab ? this.#body() : nothing}`;
  }

  #body() {
    const { shown, groups, part } = this.data;
    switch (this.tab) {
      case 'partitions':
        return this.#partitions();
      case 'groups':
        return card(
          'Groups',
          groupTable(groups, () => this.reload(), { isOfOneQueue: true, empty: ['No group reads this queue.', 'A group appears with its first pop.'] }),
        );
      case 'tail':
        return card(
          'Newest messages',
          messageTable(part, { isOfOneQueue: true, empty: ['The queue is empty.', 'New messages appear here automatically.'] }),
          html`<span class="live"><i></i>live</span>`,
        );
      case 'settings':
        return html`<queue-settings
          .queue=${shown}
          .isReadOnly=${!session.may('configure')}
          @saved=${() => this.reload()}
        ></queue-settings>`;
      default:
        return this.#activity();
    }
  }

  #activity() {
    const { ops, removed, refused } = this.data.part;
    const reasons = [...new Set(['full', ...refused.flatMap((point) => Object.keys(point.pushRefusedReasons))])];
    const line = (name, field, color, points = ops) => ({ name, color, points: points.map((point) => [point.bucket, point[field]]) });
    return html` <div class="toolbar end"><ui-range .query=${this.query}></ui-range></div>
      <div class="columns">
        ${chartCard('Messages per second', 'rate', [
          line('in', 'pushPerSecond', '--series-1'),
          line('delivered', 'popPerSecond', '--series-2'),
          line('acknowledged', 'ackPerSecond', '--series-5'),
        ])}
        ${chartCard('Time from push to delivery', 'millis', [
          line('longest', 'maxLagMs', '--series-3'),
          line('average', 'avgLagMs', '--series-1'),
        ])}
        ${chartCard('Waiting consumers', 'number', [line('waiting pops', 'parkedCount', '--series-2')])}
        ${chartCard(
          'Refused pushes',
          'number',
          reasons.map((reason, i) => ({
            name: reason,
            color: `--series-${(i % 5) + 1}`,
            points: refused.map((point) => [point.timestamp, point.pushRefusedReasons[reason] ?? 0]),
          })),
          { kind: 'bar' },
        )}
        ${chartCard('Failed acknowledgments', 'number', [line('failed', 'ackFailed', '--series-3')], { kind: 'bar' })}
        ${chartCard('Partitions', 'number', [line('partitions', 'partitionCount', '--series-5')])}
        ${chartCard(
          'Removed by policy',
          'number',
          [
            line('too old', 'retentionMsgs', '--series-1', removed),
            line('finished by all', 'completedRetentionMsgs', '--series-2', removed),
            line('expired', 'evictionMsgs', '--series-3', removed),
          ],
          { kind: 'bar' },
        )}
      </div>`;
  }

  #partitions() {
    const { part, groups } = this.data;
    const { search = '', group = '', sort = 'lag' } = this.query;
    return html` <div class="toolbar">
        <div class="filters">
          ${searchBox('Search partitions', search, (text) => refine({ search: text, after: null }))}
          ${choice(
            'Group',
            [['', 'For the slowest group'], ...groups.map((each) => [each.name, `For ${groupName(each.name)}`])],
            group,
            (name) => refine({ group: name }),
          )}
          ${choice('Order', ORDERS, sort, (name) => refine({ sort: name === 'lag' ? null : name, after: null }))}
        </div>
      </div>
      <section class="card">
        ${partitionTable(part.partitions, {
          empty: search
            ? ['No partition matches.', 'The search reads 10,000 partitions at a time.']
            : ['No partitions yet.', 'The first push to a partition creates it.'],
        })}
      </section>
      ${part.next ? html`<div class="toolbar end"><button @click=${() => refine({ after: part.next, sort: 'name' })}>Next page</button></div>` : nothing}`;
  }

  async #pause(operation) {
    await call(operation, { queue: this.params.queue });
    toast(operation === 'pauseQueue' ? 'Paused: messages are not delivered.' : 'Resumed.');
    this.reload();
  }

  async #then(question) {
    if (await question) this.reload();
  }
}

customElements.define('page-queue', PageQueue);
