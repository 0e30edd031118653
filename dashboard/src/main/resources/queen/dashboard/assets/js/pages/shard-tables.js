// The shards of the database, and the nodes they are on.
import { html, nothing } from 'lit';
import { bytes, compact, number, percent, rate } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { card, share, table } from '../ui/table.js';

/**
 * Empty for one shard in one PostgreSQL, the usual case.
 *
 * @param now shards as the server reports them
 * @param before previous report, to compute write rates; null at first
 */
export function shardTables(now, before) {
  if (now.shards.length < 2 && !now.isCitus) return nothing;
  const seconds = before ? (Date.parse(now.timestamp) - Date.parse(before.timestamp)) / 1000 : 0;
  const largest = Math.max(1, ...now.shards.map((shard) => shard.bytes ?? 0));
  const written = (row, rows) => {
    const last = rows?.find((each) => each.host === row.host && each.port === row.port && each.number === row.number);
    if (!(seconds > 0) || row.rowsWritten == null || last?.rowsWritten == null) return '–';
    return rate((row.rowsWritten - last.rowsWritten) / seconds);
  };
  return html`${card('Shards', table(shardColumns(largest, (row) => written(row, before?.shards)), now.shards, { key: (row) => row.number, label: 'Shards' }))}
  ${card('Nodes', table(nodeColumns((row) => written(row, before?.nodes)), now.nodes, { key: place, label: 'Nodes' }))}`;
}

function shardColumns(largest, written) {
  return [
    { title: 'Shard', cell: (row) => html`<span class="mono">${row.schema}</span>` },
    { title: 'Node', cell: (row) => html`<span class="mono">${place(row)}</span>` },
    { title: 'State', kind: 'wide', cell: state },
    { title: 'Size', kind: 'num', cell: (row) => html`${bytes(row.bytes)} ${share(row.bytes ?? 0, largest)}` },
    { title: 'Partitions', kind: 'num', cell: (row) => number(row.partitions) },
    { title: 'Messages', kind: 'num', cell: (row) => compact(row.messages) },
    { title: 'Unread', kind: 'num', cell: (row) => compact(row.pending) },
    { title: 'Rows written per second', kind: 'num', hint: 'Since the page was last refreshed', cell: written },
  ];
}

function nodeColumns(written) {
  return [
    { title: 'Node', kind: 'wide', cell: (row) => html`<span class="mono">${place(row)}</span>` },
    { title: 'Shards', kind: 'num', cell: (row) => number(row.shards) },
    { title: 'Size', kind: 'num', cell: (row) => bytes(row.bytes) },
    { title: 'Rows written per second', kind: 'num', hint: 'Since the page was last refreshed', cell: written },
  ];
}

function state(row) {
  if (row.trouble) return html`${badge('bad', 'unavailable')} <span class="small">${row.trouble}</span>`;
  if (!row.move) return badge('ok', 'in place');
  const share = row.move.bytes ? ` ${percent(Math.min(100, (row.move.movedBytes / row.move.bytes) * 100))}` : '';
  return badge('running', `moving to ${place(row.move)}${share}`);
}

function place(row) {
  return `${row.host}:${row.port}`;
}
