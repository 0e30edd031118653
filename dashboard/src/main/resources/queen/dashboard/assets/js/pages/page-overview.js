// The overview: problems, throughput, backlog and failures.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { compact, millis, number, percent, rate, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine } from '../core/place.js';
import { axisOf, complete, rangeOf } from '../core/range.js';
import { badge } from '../ui/badge.js';
import { card, facts } from '../ui/table.js';
import { chartCard } from '../ui/ui-chart.js';
import { firstSteps } from './first-steps.js';
import { oldestUnread, SORTS, withHealth } from './queue-health.js';
import { queueTable } from './queue-table.js';
import { serverTable } from './server-table.js';
import { problems } from './verdict.js';
import '../ui/ui-range.js';
import '../ui/ui-spark.js';

const QUEUES_SHOWN = 8;
const PROBLEMS_SHOWN = 5;

/** The charts of the cards. */
const CHARTS = {
  throughput: {
    name: 'Throughput',
    title: 'Messages per second',
    unit: 'rate',
    series: [
      ['in', 'ingestedPerSecond', '--series-1'],
      ['out', 'processedPerSecond', '--series-2'],
    ],
  },
  depth: {
    name: 'Depth',
    title: 'Unfinished messages',
    unit: 'number',
    series: [['depth', 'depth', '--series-1']],
  },
  lag: {
    name: 'Lag',
    title: 'Age of the oldest due unread message',
    unit: 'seconds',
    series: [['oldest unread', 'oldestUnreadSeconds', '--series-3']],
  },
  delivery: {
    name: 'Delivery',
    title: 'Time from push to delivery',
    unit: 'millis',
    series: [
      ['longest', 'maxLagMs', '--series-3'],
      ['average', 'avgLagMs', '--series-1'],
    ],
  },
  errors: {
    name: 'Failures',
    title: 'Failures',
    unit: 'number',
    kind: 'bar',
    series: [
      ['failed acks', 'ackFailed', '--series-3'],
      ['dead letters', 'dlqCount', '--series-4'],
      ['database errors', 'dbErrors', '--series-5'],
    ],
  },
  server: {
    name: 'Servers',
    title: 'CPU of the servers',
    unit: 'percent',
    series: [
      ['user', 'queenCpuUserPct', '--series-1'],
      ['system', 'queenCpuSysPct', '--series-2'],
    ],
  },
};

class PageOverview extends Page {
  interval = 10_000;

  async load(signal) {
    const options = { signal };
    const range = rangeOf(this.query);
    const [overview, status, groups, queues, health, maintenance, postgres] = await Promise.all([
      call('overview', {}, options),
      call('status', range, options),
      call('listGroups', { limit: 1000 }, options),
      call('listQueues', { limit: 1000 }, options),
      call('health', {}, options),
      callOr(null, 'maintenance', {}, options),
      callOr(null, 'postgresStats', {}, options),
    ]);
    return {
      axis: axisOf(range),
      overview,
      status,
      groups,
      queues: queues.queues,
      health,
      maintenance,
      postgres,
      points: complete(status.throughput.toReversed(), this.query),
    };
  }

  view() {
    const { groups, queues } = this.data;
    return html` <div class="toolbar">${this.#verdict()}<ui-range .query=${this.query}></ui-range></div>
      ${this.#problems()} ${queues.length === 0 ? firstSteps(this.query) : html`<div class="stats">${this.#stats()}</div>${this.#chart()}`}
      <div class="columns two-one">
        ${card(
          'Queues',
          queueTable(withHealth(queues, groups).sort(SORTS.worst).slice(0, QUEUES_SHOWN), {
            columns: ['queue', 'state', 'waiting', 'oldest', 'partitions'],
            empty: ['No queues yet.', html`Push a message, or create one on the page <a href="/queues">Queues</a>.`],
          }),
          html`<a href="/queues">All ${number(queues.length)}</a>`,
        )}
        <div class="stack">${this.#servers()}${this.#database()}</div>
      </div>`;
  }

  #verdict() {
    const found = problems(this.data);
    const worst = found.some((each) => each.kind === 'bad') ? 'bad' : found.length ? 'warn' : 'ok';
    return html`<div class="verdict ${worst}" data-verdict=${worst}>
      <i class="mark"></i
      ><strong
        >${
          found.length === 0 ? 'No problems' : found.length === 1 ? '1 problem' : `${found.length} problems`
        }</strong
      >
    </div>`;
  }

  #problems() {
    const found = problems(this.data);
    if (found.length === 0) return nothing;
    const shown = this.query.all ? found : found.slice(0, PROBLEMS_SHOWN);
    return html`<ul class="problems">
      ${shown.map(
        (each) =>
          html` <li>
            <a href=${each.url} class=${each.kind}><i class="mark"></i><strong>${each.what}</strong><span>${each.why}</span></a>
          </li>`,
      )}
      ${shown.length < found.length ? html`<li><button class="plain more" @click=${() => refine({ all: 1 })}>and ${found.length - shown.length} more</button></li>` : nothing}
    </ul>`;
  }

  #stats() {
    const { overview, status, points, groups, queues } = this.data;
    const { messages, throughput } = overview;
    const values = (name) => points.map((point) => point[name]);
    const oldest = oldestUnread(groups);
    const { avg, max } = overview.deliveryAge;
    const deepest = queues.toSorted((a, b) => b.messages.pending - a.messages.pending)[0];
    const failures = status.errors.ackFailed + status.errors.dbErrors;
    return html` ${this.#stat('throughput', 'In', rate(throughput.ingestedPerSecond), '/s', 'mean of 5 minutes', values('ingestedPerSecond'), 's1')}
    ${this.#stat('throughput', 'Out', rate(throughput.processedPerSecond), '/s', 'mean of 5 minutes', values('processedPerSecond'), 's2')}
    ${this.#stat(
      'depth',
      'Waiting',
      compact(messages.pending),
      '',
      html`${number(messages.processing)} being processed${messages.pending > 0 ? html`<span class="clip">most in ${deepest?.name}</span>` : nothing}`,
      values('depth'),
      's1',
    )}
    ${this.#stat(
      'lag',
      'Oldest unread',
      oldest > 0 ? seconds(oldest) : '–',
      '',
      max > 0 ? `delivery takes ${seconds(avg)}` : 'no recent deliveries',
      values('oldestUnreadSeconds'),
      's3',
    )}
    ${this.#stat(
      'errors',
      'Failures',
      compact(failures),
      '',
      'in this range',
      points.map((point) => point.ackFailed + point.dbErrors),
      's3',
    )}
    ${this.#stat('errors', 'Dead letters', compact(messages.deadLetter), '', `${number(status.errors.dlqMessages)} in this range`, values('dlqCount'), 's4')}`;
  }

  #stat(chart, title, value, unit, note, values, kind) {
    const inside = html`<span class="title">${title}</span><span class="value">${value}<small>${unit}</small></span
      ><span class="note">${note}</span> ${values ? html`<ui-spark .values=${values} kind=${kind}></ui-spark>` : nothing}`;
    const isShown = (this.query.chart ?? 'throughput') === chart;
    return html`<button
      type="button"
      class="stat"
      aria-pressed=${isShown}
      @click=${() => refine({ chart: chart === 'throughput' ? null : chart })}
    >
      ${inside}
    </button>`;
  }

  #chart() {
    const chart = CHARTS[this.query.chart] ?? CHARTS.throughput;
    const series = chart.series.map(([name, field, color]) => ({
      name,
      color,
      points: this.data.points.map((point) => [point.timestamp, point[field]]),
    }));
    const choice = html`<div class="range small" role="group" aria-label="Chart">
      ${Object.entries(CHARTS).map(
        ([name, each]) =>
          html`<button
            type="button"
            aria-pressed=${(this.query.chart ?? 'throughput') === name}
            @click=${() => refine({ chart: name === 'throughput' ? null : name })}
          >
            ${each.name}
          </button>`,
      )}
    </div>`;
    return chartCard(chart.title, chart.unit, series, { kind: chart.kind, aside: choice, axis: this.data.axis });
  }

  #servers() {
    return card(
      'Servers',
      serverTable(this.data.status.workers, ['server', 'lag', 'seen']),
      html`<a href="/operations">Operations</a>`,
    );
  }

  #database() {
    const { postgres, health, status } = this.data;
    const last = status.throughput[0];
    return card(
      'Database',
      facts([
        ['PostgreSQL', badge(health.database === 'connected' ? 'ok' : 'bad', health.database)],
        ['Connections', last ? html`${number(Math.round(last.dbPoolActive))} of ${number(Math.round(last.dbPoolSize))} busy` : '–'],
        postgres && ['Cache hits', percent(postgres.databaseCache.cacheHitRatio)],
        postgres && ['Long transactions', number(postgres.longTransactions.length)],
      ]),
      html`<a href="/postgres">PostgreSQL</a>`,
    );
  }
}

customElements.define('page-overview', PageOverview);
