// A queue: activity, partitions, groups, newest messages and settings.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { groupName, number } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { axisOf, complete, rangeOf } from '../core/range.js';
import { session } from '../core/session.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { choice, searchBox } from '../ui/fields.js';
import { card, tabs } from '../ui/table.js';
import { chartGrid } from '../ui/ui-chart.js';
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
        const range = rangeOf(this.query);
        const wanted = { queue, ...range };
        const [ops, retention, status] = await Promise.all([
          call('queueOps', wanted, { signal }),
          call('retention', wanted, { signal }),
          call('status', wanted, { signal }),
        ]);
        const points = complete(status.throughput.toReversed(), this.query);
        return {
          axis: axisOf(range),
          points,
          ops: everyBucket(points, ops.series),
          removed: complete(retention.series, this.query),
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
    const { axis, points, ops, removed } = this.data.part;
    const reasons = [...new Set(['full', ...points.flatMap((point) => Object.keys(point.pushRefusedReasons))])];
    const line = (name, field, color, from = points, time = 'timestamp') => ({
      name,
      color,
      points: from.map((point) => [point[time], point[field] ?? 0]),
    });
    return html` <div class="toolbar end"><ui-range .query=${this.query}></ui-range></div>
      ${chartGrid(axis, [
        { title: 'Unfinished messages', unit: 'number', series: [line('depth', 'depth', '--series-1')] },
        {
          title: 'Age of the oldest due unread message',
          unit: 'seconds',
          series: [line('oldest unread', 'oldestUnreadSeconds', '--series-3')],
        },
        {
          title: 'Messages per second',
          unit: 'rate',
          series: [
            line('in', 'ingestedPerSecond', '--series-1'),
            line('delivered', 'popPerSecond', '--series-2'),
            line('acknowledged', 'processedPerSecond', '--series-5'),
          ],
        },
        {
          title: 'Time from push to delivery',
          unit: 'millis',
          series: [line('longest', 'maxLagMs', '--series-3'), line('average', 'avgLagMs', '--series-1')],
        },
        { title: 'Waiting consumers', unit: 'number', series: [line('waiting pops', 'parkedCount', '--series-2', ops)] },
        {
          title: 'Rejected pushes',
          unit: 'number',
          kind: 'bar',
          series: reasons.map((reason, i) => ({
            name: reason,
            color: `--series-${(i % 5) + 1}`,
            points: points.map((point) => [point.timestamp, point.pushRefusedReasons[reason] ?? 0]),
          })),
        },
        {
          title: 'Failed acknowledgments',
          unit: 'number',
          kind: 'bar',
          series: [line('failed', 'ackFailed', '--series-3')],
        },
        { title: 'Dead letters', unit: 'number', kind: 'bar', series: [line('dead letters', 'dlqCount', '--series-4')] },
        {
          title: 'Partitions created and deleted',
          unit: 'number',
          kind: 'bar',
          series: [line('created', 'partitionsCreated', '--series-5', ops), line('deleted', 'partitionsDeleted', '--series-4', ops)],
        },
        {
          title: 'Removed by policy',
          unit: 'number',
          kind: 'bar',
          series: [
            line('too old', 'retentionMsgs', '--series-1', removed, 'bucket'),
            line('finished by all', 'completedRetentionMsgs', '--series-2', removed, 'bucket'),
            line('expired', 'evictionMsgs', '--series-3', removed, 'bucket'),
          ],
        },
      ])}`;
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

/** Adds the buckets without operations, which the series omits. */
function everyBucket(points, series) {
  const byTime = new Map(series.map((each) => [Date.parse(each.bucket), each]));
  return points.map((point) => ({ ...byTime.get(Date.parse(point.timestamp)), timestamp: point.timestamp }));
}

customElements.define('page-queue', PageQueue);
