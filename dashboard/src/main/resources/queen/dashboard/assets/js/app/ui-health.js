// The health of the server and its database, its version, and the user.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { QueenElement } from '../core/element.js';
import { plural } from '../core/format.js';
import { session } from '../core/session.js';
import { badge } from '../ui/badge.js';
import { icon } from '../ui/icons.js';

const INTERVAL_MS = 10_000;

class UiHealth extends QueenElement {
  static properties = { health: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    session.addEventListener('change', () => this.requestUpdate());
    this.#look();
    setInterval(() => document.hidden || this.#look(), INTERVAL_MS);
  }

  async #look() {
    try {
      this.health = await call('health');
    } catch {
      this.health = { status: 'gone' };
    }
  }

  render() {
    const { status, database, version, warnings = [] } = this.health ?? {};
    const words = status === 'gone' ? 'unreachable' : database === 'disconnected' ? 'PostgreSQL unavailable' : status;
    const leave = session.isSignedIn ? 'Sign out' : 'Remove the token';
    return html`<div class="health">
      ${status ? badge(status, words) : nothing}
      ${warnings.length ? html`<span title=${warnings.join('\n')}>${badge('warn', plural(warnings.length, 'warning'))}</span>` : nothing}
      ${version ? html`<span class="version" title="Version of this server">${version}</span>` : nothing}
      ${
        session.token
          ? html`<div class="session" title="Role: ${session.role}${session.rights ? `; rights: ${session.rights.join(' ')}` : ''}">
              <span>${session.subject ?? 'token'} · ${session.role}</span>
              <button class="plain" type="button" aria-label=${leave} title=${leave} @click=${() => session.signOut()}>
                ${icon('out')}
              </button>
            </div>`
          : nothing
      }
    </div>`;
  }
}

customElements.define('ui-health', UiHealth);
