// Switches for everybody, the servers, who changed what, and what this is.
import { html, nothing } from 'lit';
import { call, callOr } from '../core/api.js';
import { seconds } from '../core/format.js';
import { Page } from '../core/page.js';
import { refine } from '../core/place.js';
import { session } from '../core/session.js';
import { badge } from '../ui/badge.js';
import { action } from '../ui/buttons.js';
import { searchBox } from '../ui/fields.js';
import { empty } from '../ui/states.js';
import { card, facts, table } from '../ui/table.js';
import { ask } from '../ui/ui-ask.js';
import { pretty } from '../ui/ui-json.js';
import { time } from '../ui/ui-time.js';
import { toast } from '../ui/ui-toasts.js';
import { clusterCard } from './cluster-card.js';
import { serverTable } from './server-table.js';

const SHOWN = 50;
const CHANGES_SHOWN = 6;

const MODES = {
  push: {
    operation: 'setPushMaintenance',
    field: 'maintenanceMode',
    title: 'Pushes',
    on: 'Pushes are not stored',
    off: 'Pushes are taken',
    loss: 'Every push to every queue, on all servers, waits in the spool of its server until you switch it on again. Servers without a spool, or with a full one, answer 503.',
  },
  pop: {
    operation: 'setPopMaintenance',
    field: 'popMaintenanceMode',
    title: 'Deliveries',
    on: 'Nothing is handed out',
    off: 'Messages are handed out',
    loss: 'No consumer, on any server, gets a message until you switch it off. Acknowledgements go on.',
  },
};

class PageSystem extends Page {
  interval = 10_000;

  async load(signal) {
    const { actor, action: what, target, before } = this.query;
    const [health, maintenance, metrics, workers, cluster, audit] = await Promise.all([
      call('health', {}, { signal }),
      callOr(null, 'maintenance', {}, { signal }),
      call('metrics', {}, { signal }),
      call('workerMetrics', {}, { signal }),
      callOr(null, 'sharedState', {}, { signal }),
      callOr(null, 'audit', { actor, action: what, target, before, limit: SHOWN }, { signal }),
    ]);
    return { health, maintenance, metrics, workers: workers.workers, cluster, audit };
  }

  view() {
    const { health, metrics, maintenance } = this.data;
    return html` <div class="columns">
        ${card(
          'Maintenance',
          maintenance
            ? html`<ul class="switches">
                ${Object.values(MODES).map((mode) => this.#mode(mode, maintenance[mode.field]))}
              </ul>`
            : empty('It is not known at this moment.', ''),
        )}
        ${card(
          'This server',
          facts([
            ['Version', html`<span class="name">${health.version}</span>`],
            ['Name', health.worker_id],
            ['Running for', seconds(metrics.uptime)],
            ['Database', badge(health.database === 'connected' ? 'ok' : 'bad', health.database)],
            ...health.warnings.map((warning) => ['Warning', html`<span class="warn-text">${warning}</span>`]),
            ['Tokens and API keys', session.isTokenNeeded ? html`needed; yours says <b>${session.role}</b>` : 'not needed: everybody is admin'],
            [
              'API',
              html`<a href="/openapi.json" target="_blank" rel="noopener">openapi.json</a>,
                <a href="/metrics/prometheus" target="_blank" rel="noopener">for Prometheus</a>`,
            ],
          ]),
        )}
      </div>
      ${card('Servers', serverTable(this.data.workers), html`<span class="muted">of the last hour</span>`)}
      ${clusterCard(this.data.cluster)} ${this.#audit()}`;
  }

  #mode(mode, isOn) {
    return html`<li>
      <div><strong>${mode.title}</strong><span class="muted">${isOn ? mode.on : mode.off}</span></div>
      ${badge(isOn ? 'paused' : 'ok', isOn ? 'off' : 'on')}
      ${
        isOn
          ? action(mode.operation, 'Switch on', () => this.#set(mode, false), { icon: 'play', primary: true })
          : action(mode.operation, 'Switch off', () => this.#ask(mode), { icon: 'pause' })
      }
    </li>`;
  }

  #ask(mode) {
    return ask({
      title: `${mode.title} off, everywhere?`,
      verb: 'Switch off',
      danger: true,
      loss: mode.loss,
      act: () => this.#set(mode, true),
    });
  }

  async #set(mode, enabled) {
    await call(mode.operation, {}, { body: { enabled } });
    toast(enabled ? `${mode.on}.` : `${mode.off} again.`);
    this.reload();
  }

  #audit() {
    const { audit } = this.data;
    if (!audit) return nothing;
    const filter = (name, label, placeholder) =>
      searchBox(label, this.query[name], (text) => refine({ [name]: text, before: null }), { placeholder, isWhole: true });
    return card(
      'Audit',
      html` <div class="toolbar inside">
          <div class="filters">
            ${filter('actor', 'Who')}${filter('action', 'What', 'What: pause')}${filter('target', 'To what', 'To what: queue orders')}
          </div>
        </div>
        ${table(AUDIT, audit.records, { key: (row) => row.id, label: 'Audit', empty: ['Nothing was changed.', 'Every change an operator makes is written down here.'] })}
        <div class="toolbar end inside">
          <div class="actions">
            ${this.query.before ? html`<button @click=${() => refine({ before: null })}>Latest</button>` : nothing}
            ${audit.pagination.next ? html`<button @click=${() => refine({ before: audit.pagination.next })}>Earlier</button>` : nothing}
          </div>
        </div>`,
      html`<span class="muted">who changed what, latest first</span>`,
    );
  }
}

const AUDIT = [
  { title: 'When', cell: (row) => time(row.at) },
  { title: 'Who', cell: (row) => row.actor },
  { title: 'From', cell: (row) => row.address ?? '' },
  { title: 'What', cell: (row) => html`<span class="name">${row.action}</span>` },
  { title: 'To what', cell: (row) => row.target },
  { title: 'Change', kind: 'wide wrap', cell: (row) => html`<span class="mono small">${change(row)}</span>` },
];

/** Only what became different. */
function change({ before, after }) {
  if (!after || typeof after !== 'object') return after ?? '';
  const changed = Object.entries(after).filter(([name, value]) => pretty(before?.[name]) !== pretty(value));
  const rest = changed.length > CHANGES_SHOWN ? `, and ${changed.length - CHANGES_SHOWN} more` : '';
  return (
    changed
      .slice(0, CHANGES_SHOWN)
      .map(([name, value]) => `${name}: ${before && name in before ? `${short(before[name])} → ` : ''}${short(value)}`)
      .join(', ') + rest
  );
}

function short(value) {
  return pretty(value).replace(/\s+/g, ' ').slice(0, 120);
}

customElements.define('page-system', PageSystem);
