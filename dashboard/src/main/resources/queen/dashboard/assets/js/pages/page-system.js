// Maintenance modes, servers, audit log and version.
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
    off: 'Pushes are stored',
    loss: 'All servers spool all pushes until pushes are switched on again. Servers without a spool, or with a full one, respond with 503.',
  },
  pop: {
    operation: 'setPopMaintenance',
    field: 'popMaintenanceMode',
    title: 'Deliveries',
    on: 'Messages are not delivered',
    off: 'Messages are delivered',
    loss: 'No consumer receives a message on any server until deliveries are switched on again. Acks are accepted.',
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
      callOr({ workers: [] }, 'workerMetrics', {}, { signal }),
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
            : empty('Currently unknown.', ''),
        )}
        ${card(
          'This server',
          facts([
            ['Version', html`<span class="name">${health.version}</span>`],
            ['Name', health.worker_id],
            ['Running for', seconds(metrics.uptime)],
            ['Database', badge(health.database === 'connected' ? 'ok' : 'bad', health.database)],
            ...health.warnings.map((warning) => ['Warning', html`<span class="warn-text">${warning}</span>`]),
            ['Tokens and API keys', session.isTokenNeeded ? html`required; your role is <b>${session.role}</b>` : 'not required: every request has the role admin'],
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
            ${filter('actor', 'User')}${filter('action', 'Action', 'Action: pause')}${filter('target', 'Target', 'Target: queue orders')}
          </div>
        </div>
        ${table(AUDIT, audit.records, { key: (row) => row.id, label: 'Audit', empty: ['No changes.', 'Changes by operators are recorded here.'] })}
        <div class="toolbar end inside">
          <div class="actions">
            ${this.query.before ? html`<button @click=${() => refine({ before: null })}>Latest</button>` : nothing}
            ${audit.pagination.next ? html`<button @click=${() => refine({ before: audit.pagination.next })}>Earlier</button>` : nothing}
          </div>
        </div>`,
      html`<span class="muted">changes by operators, latest first</span>`,
    );
  }
}

const AUDIT = [
  { title: 'Time', cell: (row) => time(row.at) },
  { title: 'User', cell: (row) => row.actor },
  { title: 'Address', cell: (row) => row.address ?? '' },
  { title: 'Action', cell: (row) => html`<span class="name">${row.action}</span>` },
  { title: 'Target', cell: (row) => row.target },
  { title: 'Change', kind: 'wide wrap', cell: (row) => html`<span class="mono small">${change(row)}</span>` },
];

/** Returns only the changed fields. */
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
