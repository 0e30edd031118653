// Is all well? What moves, what waits, what failed.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { compact, millis, number, percent, rate, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine, url } from '../core/place.js';
import { complete, rangeOf } from '../core/range.js';
import { badge } from '../ui/badge.js';
import { card, facts, table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';
import { SORTS, withHealth } from './queue-health.js';
import { problems } from './verdict.js';
import '../ui/ui-chart.js';
import '../ui/ui-range.js';
import '../ui/ui-spark.js';

const QUEUES_SHOWN = 8;
const PROBLEMS_SHOWN = 5;

/** What a card shows small and its chart large. */
const CHARTS = {
  throughput: {
    title: 'Messages per second',
    unit: 'rate',
    series: [
      ['in', 'ingestedPerSecond', '--series-1'],
      ['out', 'processedPerSecond', '--series-2'],
    ],
  },
  lag: {
    title: 'Time from push to delivery',
    unit: 'millis',
    series: [
      ['longest', 'maxLagMs', '--series-3'],
      ['average', 'avgLagMs', '--series-1'],
    ],
  },
  errors: {
    title: 'Failures per bucket',
    unit: 'number',
    kind: 'bar',
    series: [
      ['failed acks', 'ackFailed', '--series-3'],
      ['dead letters', 'dlqCount', '--series-4'],
      ['database errors', 'dbErrors', '--series-5'],
    ],
  },
  server: {
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
    const [overview, status, groups, queues, health, maintenance, postgres] = await Promise.all([
      call('overview', {}, options),
      call('status', rangeOf(this.query), options),
      call('listGroups', { limit: 1000 }, options),
      call('listQueues', { limit: 1000 }, options),
      call('health', {}, options),
      callOr(null, 'maintenance', {}, options),
      callOr(null, 'postgresStats', {}, options),
    ]);
    return {
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
      ${this.#problems()}
      <div class="stats">${this.#stats()}</div>
      ${this.#chart()}
      <div class="columns two-one">
        ${card(
          'Queues',
          table(COLUMNS, withHealth(queues, groups).sort(SORTS.worst).slice(0, QUEUES_SHOWN), {
            key: (queue) => queue.id,
            label: 'Queues, worst first',
            empty: ['There is no queue yet.', html`Push a message, or create one on the page <a href="/queues">Queues</a>.`],
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
          found.length === 0 ? 'All is well' : found.length === 1 ? 'One thing needs a look' : `${found.length} things need a look`
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
    const { overview, status, points } = this.data;
    const { messages, throughput } = overview;
    const values = (name) => points.map((point) => point[name]);
    const failures = status.errors.ackFailed + status.errors.dbErrors;
    return html` ${this.#stat('throughput', 'In', rate(throughput.ingestedPerSecond), '/s', 'mean of 5 minutes', values('ingestedPerSecond'), 's1')}
    ${this.#stat('throughput', 'Out', rate(throughput.processedPerSecond), '/s', 'mean of 5 minutes', values('processedPerSecond'), 's2')}
    ${this.#stat(null, 'Waiting', compact(messages.pending), '', `${number(messages.processing)} being processed`, null)}
    ${this.#stat('lag', 'Lag', seconds(overview.lag.time.avg), '', `longest ${seconds(overview.lag.time.max)}`, values('maxLagMs'), 's3')}
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
    if (!chart) return html`<a class="stat" href="/queues?sort=pending">${inside}</a>`;
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
    const series = chart.series.map(([name, field, colour]) => ({
      name,
      colour,
      points: this.data.points.map((point) => [point.timestamp, point[field]]),
    }));
    const choice = html`<div class="range small" role="group" aria-label="Chart">
      ${Object.keys(CHARTS).map(
        (name) =>
          html`<button
            type="button"
            aria-pressed=${(this.query.chart ?? 'throughput') === name}
            @click=${() => refine({ chart: name === 'throughput' ? null : name })}
          >
            ${name}
          </button>`,
      )}
    </div>`;
    return card(
      chart.title,
      html`<ui-chart .series=${series} unit=${chart.unit} kind=${chart.kind ?? 'line'} label=${chart.title}></ui-chart>`,
      choice,
    );
  }

  #servers() {
    const workers = this.data.status.workers;
    return card(
      'Servers',
      table(
        [
          {
            title: 'Server',
            cell: (worker) => html`<span class="name">${worker.workerId}</span> <span class="muted">${worker.hostname}</span>`,
          },
          {
            title: 'Loop lag',
            kind: 'num',
            hint: 'How late the engine loop was, on average',
            cell: (worker) => millis(worker.avgEventLoopLagMs),
          },
          { title: 'Seen', kind: 'num', cell: (worker) => time(worker.lastSeen) },
        ],
        workers,
        { label: 'Servers', empty: ['No server has reported in this range.'] },
      ),
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

const COLUMNS = [
  {
    title: 'Queue',
    kind: 'wide',
    cell: (queue) => html`<a class="name" href=${url('/queues/:queue', { queue: queue.name })}>${queue.name}</a>`,
  },
  { title: 'State', cell: (queue) => badge(queue.state) },
  { title: 'Waiting', kind: 'num', cell: (queue) => number(queue.messages.pending) },
  {
    title: 'Oldest',
    kind: 'num',
    hint: 'Age of the oldest message that a group has not read',
    cell: (queue) => (queue.lag > 0 ? seconds(queue.lag) : '–'),
  },
  { title: 'Lanes', kind: 'num', cell: (queue) => number(queue.partitions) },
];

customElements.define('page-overview', PageOverview);
