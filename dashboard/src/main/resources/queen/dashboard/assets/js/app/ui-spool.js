// Notices on every page: an unavailable PostgreSQL, and spooled messages with their age and the speed of the drain.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { QueenElement } from '../core/element.js';
import { plural, rate, seconds } from '../core/format.js';
import { outageOf } from '../core/outage.js';

const INTERVAL_MS = 3_000;

class UiSpool extends QueenElement {
  static properties = { health: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.#look();
    setInterval(() => document.hidden || this.#look(), INTERVAL_MS);
  }

  async #look() {
    try {
      this.health = await call('health');
    } catch {
      this.health = null;
    }
  }

  render() {
    const spool = this.health?.spool;
    if (!spool) return nothing;
    return [away(this.health), waiting(spool), trouble(spool), refused(spool)];
  }
}

function away(health) {
  const outage = outageOf(health);
  return outage ? notice('bad', outage.what, outage.why) : nothing;
}

function waiting(spool) {
  if (spool.pending === 0) return nothing;
  const speed = spool.drainedPerSecond > 0 ? `Storing ${rate(spool.drainedPerSecond)} per second.` : 'No message is being stored.';
  return notice(
    'warn',
    `${plural(spool.pending, 'message')} in the spool of this server`,
    `The oldest is waiting for ${seconds(spool.oldestSeconds)}. ${speed}`,
  );
}

function trouble(spool) {
  return spool.error ? notice('bad', 'The spool of this server accepts no messages', `While PostgreSQL is unavailable, pushes are rejected with 503: ${spool.error}`) : nothing;
}

function refused(spool) {
  if (spool.refused + spool.damaged === 0) return nothing;
  return notice(
    'bad',
    `${plural(spool.refused, 'accepted message')} rejected by PostgreSQL, ${plural(spool.damaged, 'record')} of the spool damaged`,
    'List them with queen spool refused, then use queen spool retry or drop.',
  );
}

function notice(kind, what, why) {
  return html`<div class="notice ${kind}" role="status">
    <div>
      <strong>${what}</strong>
      <p>${why}</p>
    </div>
  </div>`;
}

customElements.define('ui-spool', UiSpool);
