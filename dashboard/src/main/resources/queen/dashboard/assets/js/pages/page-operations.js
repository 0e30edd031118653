// Work and load of the servers: operations, database calls, loops, caches, connections.
import { html } from 'lit';
import { call } from '../core/api.js';
import { bytes, compact, millis, number, percent, rate, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { axisOf, complete, rangeOf } from '../core/range.js';
import { card, facts, table } from '../ui/table.js';
import { chartGrid } from '../ui/ui-chart.js';
import { serverTable } from './server-table.js';
import '../ui/ui-range.js';

class PageOperations extends Page {
  interval = 10_000;

  async load(signal) {
    const range = rangeOf(this.query);
    const [metrics, workers, system] = await Promise.all([
      call('metrics', {}, { signal }),
      call('workerMetrics', range, { signal }),
      call('systemMetrics', range, { signal }),
    ]);
    return { axis: axisOf(range), metrics, workers: { ...workers, timeSeries: complete(workers.timeSeries, this.query) }, system };
  }

  view() {
    const { metrics, workers } = this.data;
    const line = (name, field, color) => ({ name, color, points: workers.timeSeries.map((point) => [point.timestamp, point[field]]) });
    return html` <div class="toolbar">
        <p class="muted">Charts and servers include all servers. Tables of operations are of the server that responded.</p>
        <ui-range .query=${this.query}></ui-range>
      </div>
      ${chartGrid(this.data.axis, [
        {
          title: 'Messages per second',
          unit: 'rate',
          series: [
            line('push', 'pushPerSecond', '--series-1'),
            line('pop', 'popPerSecond', '--series-2'),
            line('ack', 'ackPerSecond', '--series-5'),
          ],
        },
        { title: 'Messages per request', unit: 'rate', series: this.#batches() },
        {
          title: 'Engine loop: lag',
          unit: 'millis',
          series: [line('longest', 'maxEventLoopLagMs', '--series-3'), line('average', 'avgEventLoopLagMs', '--series-1')],
        },
        {
          title: 'Waiting pops and requests',
          unit: 'number',
          series: [line('waiting pops', 'backoffSize', '--series-2'), line('waiting requests', 'maxJobQueueSize', '--series-4')],
        },
        { title: 'CPU', unit: 'percent', series: this.#system((m) => (m.cpu.user_us.avg + m.cpu.system_us.avg) / 100) },
        { title: 'Memory', unit: 'bytes', series: this.#system((m) => m.memory.rss_bytes.avg) },
      ])}
      ${card('Servers', serverTable(workers.workers))}
      <div class="columns two-one">
        <div class="stack">
          ${card(
            'Requests',
            table(OPERATIONS, entries(metrics.operations), { key: (row) => row.name, label: 'Requests' }),
            html`<span class="muted">since the start, ${seconds(metrics.uptime)} ago</span>`,
          )}
          ${card(
            'Database calls',
            table(
              CALLS,
              entries(metrics.calls)
                .filter((row) => row.count > 0)
                .sort((a, b) => b.count - a.count),
              { key: (row) => row.name, label: 'Database calls', empty: ['No calls yet.'] },
            ),
          )}
        </div>
        <div class="stack">${this.#memory()}${this.#connections()}</div>
      </div>`;
  }

  #batches() {
    const points = this.data.workers.timeSeries;
    return [
      ['push', '--series-1'],
      ['pop', '--series-2'],
      ['ack', '--series-5'],
    ].map(([name, color]) => ({
      name,
      color,
      isFlat: true,
      points: points.map((point) => [point.timestamp, point[`${name}Requests`] ? point[`${name}Messages`] / point[`${name}Requests`] : 0]),
    }));
  }

  #system(valueOf) {
    return this.data.system.replicas.map((replica, i) => ({
      name: replica.workerId,
      color: `--series-${(i % 5) + 1}`,
      points: complete(replica.timeSeries, this.query).map((point) => [point.timestamp, valueOf(point.metrics)]),
    }));
  }

  #memory() {
    const { gauges, memory } = this.data.metrics;
    const hits = gauges['queen.segment.cache.hits'];
    const asked = hits + gauges['queen.segment.cache.misses'];
    return card(
      'Memory and caches',
      facts([
        ['Heap', `${bytes(memory.heapUsed)} of ${bytes(memory.heapMax)}`],
        ['Resident', bytes(gauges['queen.process.resident.memory.bytes'])],
        ['Segment cache', bytes(gauges['queen.segment.cache.bytes'])],
        ['Segment cache hits', asked ? percent((hits / asked) * 100) : '–'],
        ['TransactionIds in memory', number(gauges['queen.push.window.messages'])],
        ['Partitions in memory', number(gauges['queen.push.partitions'])],
        ['Ready partitions', number(gauges['queen.pop.ready'])],
        ['Leases', number(gauges['queen.leases'])],
      ]),
    );
  }

  #connections() {
    const { database, gauges } = this.data.metrics;
    return card(
      'Connections',
      facts([
        ['Open', number(database.poolSize)],
        ['Busy', number(gauges['queen.db.connections.busy'])],
        ['Requests waiting', number(database.waitingRequests)],
        ['Waiting pops', number(gauges['queen.pop.parked'])],
        ['Groups polled for messages', number(gauges['queen.queue.backoff.groups'])],
      ]),
    );
  }
}

function entries(object) {
  return Object.entries(object).map(([name, value]) => ({ name, ...value }));
}

const OPERATIONS = [
  { title: 'Request', kind: 'wide', cell: (row) => row.name },
  { title: 'Count', kind: 'num', cell: (row) => compact(row.count) },
  { title: 'Errors', kind: 'num', cell: (row) => (row.errors ? html`<span class="bad-text">${number(row.errors)}</span>` : '–') },
  { title: 'Messages per request', kind: 'num', cell: (row) => (row.count ? rate(row.items / row.count) : '–') },
  { title: 'Mean', kind: 'num', cell: (row) => millis(row.meanMs) },
  { title: 'Longest', kind: 'num', hint: 'In the last minutes', cell: (row) => millis(row.maxMs) },
];

const CALLS = [
  { title: 'Call', kind: 'wide', cell: (row) => html`<span class="mono">${row.name}</span>` },
  { title: 'Count', kind: 'num', cell: (row) => compact(row.count) },
  { title: 'Errors', kind: 'num', cell: (row) => (row.errors ? html`<span class="bad-text">${number(row.errors)}</span>` : '–') },
  { title: 'Requests per call', kind: 'num', hint: 'Mean number of requests per database call', cell: (row) => rate(row.meanSize) },
  { title: 'Mean', kind: 'num', cell: (row) => millis(row.meanMs) },
  { title: 'Longest', kind: 'num', cell: (row) => millis(row.maxMs) },
  { title: 'In flight', kind: 'num', hint: 'Calls in flight', cell: (row) => number(row.inFlight) },
];

customElements.define('page-operations', PageOperations);
