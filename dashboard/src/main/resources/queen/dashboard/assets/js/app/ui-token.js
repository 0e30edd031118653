// A form for a token or an API key if the server requires one, or a sign-in with the identity provider.
import { html, nothing } from 'lit';
import { QueenElement } from '../core/element.js';
import { hostOf } from '../core/oidc.js';
import { session } from '../core/session.js';
import { crown } from '../ui/icons.js';

class UiToken extends QueenElement {
  static properties = { reason: { attribute: false }, error: { state: true }, isLeaving: { state: true } };

  render() {
    const reason = this.error ?? this.reason;
    const provider = session.provider;
    return html`<form class="token card" @submit=${this.#submit}>
      ${crown()}
      <h2>${provider ? 'Sign in' : 'This server requires a token or an API key'}</h2>
      ${reason ? html`<div class="notice bad" role="alert"><div>${reason}</div></div>` : nothing}
      ${
        provider
          ? html`<button class="primary" type="button" ?disabled=${this.isLeaving} @click=${this.#signIn}>
              Sign in with ${hostOf(provider)}
            </button>`
          : nothing
      }
      <p class="muted">
        ${provider ? 'Or paste' : 'Paste'} a JSON Web Token or an API key. It is stored in this tab and removed when the tab is closed.
      </p>
      <label for="token">Token or API key</label>
      <textarea id="token" name="token" rows="4" required spellcheck="false" autocomplete="off" placeholder="eyJhbGciOi…"></textarea>
      <button class=${provider ? '' : 'primary'} type="submit">Continue</button>
    </form>`;
  }

  #signIn = async () => {
    this.isLeaving = true;
    try {
      this.error = null;
      await session.signIn();
    } catch (error) {
      this.error = error.message;
      this.isLeaving = false;
    }
  };

  #submit = async (event) => {
    event.preventDefault();
    const token = new FormData(event.target)
      .get('token')
      .trim()
      .replace(/^bearer\s+/i, '');
    try {
      this.error = null;
      await session.useToken(token);
    } catch (error) {
      this.error = error.message;
    }
  };
}

customElements.define('ui-token', UiToken);
