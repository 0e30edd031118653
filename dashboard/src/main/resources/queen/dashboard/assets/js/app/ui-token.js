// Asks for a token when the server wants one.
import { html, nothing } from 'lit';
import { QueenElement } from '../core/element.js';
import { session } from '../core/session.js';
import { crown } from '../ui/icons.js';

class UiToken extends QueenElement {
  static properties = { reason: { attribute: false }, error: { state: true } };

  render() {
    const reason = this.error ?? this.reason;
    return html`<form class="token card" @submit=${this.#submit}>
      ${crown()}
      <h2>This server wants a token</h2>
      <p class="muted">Paste a JSON Web Token. It stays in this tab and is forgotten when you close it.</p>
      <label for="token">Token</label>
      <textarea id="token" name="token" rows="4" required spellcheck="false" autocomplete="off" placeholder="eyJhbGciOi…"></textarea>
      ${reason ? html`<div class="notice bad" role="alert"><div>${reason}</div></div>` : nothing}
      <button class="primary" type="submit">Continue</button>
    </form>`;
  }

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
