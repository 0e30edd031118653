// Statistics of PostgreSQL.
import { html } from 'lit';
import { call } from '../core/api.js';
import { bytes, compact, number, percent, seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { badge } from '../ui/badge.js';
import { card, share, table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';
import { shardTables } from './shard-tables.js';

class PagePostgres extends Page {
  interval = 10_000;

  async load(signal) {
    const [stats, shards] = await Promise.all([call('postgresStats', {}, { signal }), call('shards', {}, { signal })]);
    return { stats, shards, before: this.data?.shards ?? null };
  }

  view() {
    const { stats, shards, before } = this.data;
    const size = sum(stats.tableSizes, 'totalSizeBytes');
    const dead = sum(stats.deadTuples, 'deadTuples');
    const live = sum(stats.deadTuples, 'liveTuples');
    const hot = sum(stats.hotUpdates, 'hotUpdates');
    const updates = sum(stats.hotUpdates, 'totalUpdates');
    const vacuum = new Map(stats.autovacuumStatus.map((row) => [row.table, row]));
    const hotOf = new Map(stats.hotUpdates.map((row) => [row.table, row]));
    const deadOf = new Map(stats.deadTuples.map((row) => [row.table, row]));
    return html` <div class="stats">
        ${stat('Size', bytes(size), `tables and indexes of ${stats.database}`)}
        ${stat('Cache hits', percent(stats.databaseCache.cacheHitRatio), `shared buffers ${stats.bufferConfig.sharedBuffersSize}`)}
        ${stat('Index cache hits', percent(stats.cacheSummary.indexes.hitRatio), `${compact(stats.cacheSummary.indexes.diskReads)} reads from disk`)}
        ${stat('Heap-only updates', updates ? percent((hot / updates) * 100) : '–', `${compact(updates)} updates`)}
        ${stat('Dead rows', live + dead ? percent((dead / (live + dead)) * 100) : '–', `${compact(dead)} of ${compact(live + dead)}`)}
        ${stat('Long transactions', number(stats.longTransactions.length), 'open for more than 5 seconds')}
      </div>
      ${
        stats.longTransactions.length
          ? card(
              'Long transactions',
              table(LONG, stats.longTransactions, { key: (row) => row.pid, label: 'Long transactions' }),
              html`<span class="muted">they delay vacuum</span>`,
            )
          : ''
      }
      ${shardTables(shards, before)}
      ${card('Tables', table(this.#columns(deadOf, hotOf, vacuum, stats.tableSizes[0]?.totalSizeBytes ?? 1), stats.tableSizes, { key: (row) => row.table, label: 'Tables' }))}
      <div class="columns">
        ${card(
          'Statements running',
          table(ACTIVE, stats.activeQueries, {
            key: (row) => row.pid,
            label: 'Statements running',
            empty: ['No running statements.', 'Most statements of Queen take a few milliseconds.'],
          }),
        )}
        ${card(
          'Index cache',
          table(INDEXES, stats.indexCache.filter((row) => row.cacheHits + row.diskReads > 0).slice(0, 15), {
            key: (row) => row.index,
            label: 'Index cache',
            empty: ['No index was used yet.', 'The first messages use them.'],
          }),
        )}
      </div>`;
  }

  #columns(dead, hot, vacuum, largest) {
    return [
      { title: 'Table', kind: 'wide', cell: (row) => html`<span class="mono">${row.table}</span>` },
      { title: 'Size', kind: 'num', cell: (row) => html`${bytes(row.totalSizeBytes)} ${share(row.totalSizeBytes, largest)}` },
      { title: 'Indexes', kind: 'num', cell: (row) => bytes(row.indexSizeBytes) },
      { title: 'Rows', kind: 'num', cell: (row) => compact(dead.get(row.table)?.liveTuples) },
      {
        title: 'Dead',
        kind: 'num',
        cell: (row) =>
          dead.get(row.table)?.deadTuples
            ? `${compact(dead.get(row.table).deadTuples)} (${percent(dead.get(row.table).deadPercentage)})`
            : '–',
      },
      {
        title: 'Heap-only',
        kind: 'num',
        hint: 'Updates without index changes',
        cell: (row) => (hot.get(row.table)?.totalUpdates ? percent(hot.get(row.table).hotUpdatePercentage) : '–'),
      },
      { title: 'Vacuums', kind: 'num', cell: (row) => number(vacuum.get(row.table)?.autovacuumCount) },
      { title: 'Last vacuum', kind: 'num', cell: (row) => time(vacuum.get(row.table)?.lastAutovacuum ?? dead.get(row.table)?.lastVacuum) },
    ];
  }
}

function stat(title, value, note) {
  return html`<div class="stat">
    <span class="title">${title}</span><span class="value">${value}</span><span class="note">${note}</span>
  </div>`;
}

function sum(rows, field) {
  return rows.reduce((total, row) => total + Number(row[field]), 0);
}

const LONG = [
  { title: 'pid', kind: 'num', cell: (row) => row.pid },
  { title: 'Open for', kind: 'num', cell: (row) => seconds(row.ageSeconds) },
  { title: 'State', cell: (row) => badge(row.state === 'active' ? 'running' : 'warn', row.state) },
  { title: 'User', cell: (row) => html`${row.user} <span class="muted">${row.application}</span>` },
  { title: 'Last statement', kind: 'wide', cell: (row) => html`<span class="mono small clip">${row.query}</span>` },
];

const ACTIVE = [
  { title: 'Duration', kind: 'num', cell: (row) => seconds(row.duration) },
  { title: 'State', cell: (row) => row.state },
  { title: 'Wait event', cell: (row) => row.waitEvent ?? '–' },
  { title: 'Statement', kind: 'wide', cell: (row) => html`<span class="mono small clip">${row.query}</span>` },
];

const INDEXES = [
  { title: 'Index', kind: 'wide', cell: (row) => html`<span class="mono">${row.index}</span>` },
  { title: 'Hits', kind: 'num', cell: (row) => compact(row.cacheHits) },
  { title: 'Reads', kind: 'num', cell: (row) => compact(row.diskReads) },
  { title: 'Ratio', kind: 'num', cell: (row) => percent(row.cacheHitRatio) },
];

customElements.define('page-postgres', PagePostgres);
