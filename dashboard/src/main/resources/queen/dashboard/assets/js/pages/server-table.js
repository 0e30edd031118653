// The table of servers.
import { html } from 'lit';
import { millis, number } from '../core/format.js';
import { badge } from '../ui/badge.js';
import { table } from '../ui/table.js';
import { time } from '../ui/ui-time.js';

/** Returns true if the server was killed, or cannot report. */
export function isSilent(server) {
  return server.state === 'dead';
}

const STATES = { running: 'ok', dead: 'gone', stopped: 'paused' };

const COLUMNS = {
  server: {
    title: 'Server',
    kind: 'wide',
    cell: (server) => html`<span class="name">${server.workerId}</span> <span class="muted">${server.hostname}</span>`,
  },
  state: { title: 'State', cell: (server) => badge(STATES[server.state], server.state) },
  processed: { title: 'Processed', kind: 'num', hint: 'Messages in this range', cell: (server) => number(server.messagesProcessed) },
  lag: {
    title: 'Loop lag',
    kind: 'num',
    hint: 'Mean lag of the engine loop',
    cell: (server) => millis(server.avgEventLoopLagMs),
  },
  longest: { title: 'Longest', kind: 'num', hint: 'Maximum lag of the engine loop', cell: (server) => millis(server.maxEventLoopLagMs) },
  connections: {
    title: 'Free connections',
    kind: 'num',
    cell: (server) => `${number(server.freeSlots)} of ${number(server.dbConnections)}`,
  },
  parked: { title: 'Waiting pops', kind: 'num', hint: 'Pops that wait for a message', cell: (server) => number(server.backoffSize) },
  seen: { title: 'Seen', kind: 'num', cell: (server) => time(server.lastSeen) },
};

/** @param columns names of the columns (default: all) */
export function serverTable(servers, columns = Object.keys(COLUMNS)) {
  return table(
    columns.map((name) => COLUMNS[name]),
    servers,
    { label: 'Servers', empty: ['No server has reported in this range.', 'A running server reports every few seconds.'] },
  );
}
