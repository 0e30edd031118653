// Selects the theme: light, dark, or that of the system.
import { html } from 'lit';
import { QueenElement } from '../core/element.js';
import { setTheme, theme, THEMES } from '../core/theme.js';
import { icon } from '../ui/icons.js';

class UiTheme extends QueenElement {
  render() {
    return html`<div class="themes" role="group" aria-label="Theme">
      ${THEMES.map(
        (each) =>
          html` <button
            class="plain"
            type="button"
            title=${each}
            aria-label="Theme: ${each}"
            aria-pressed=${theme() === each}
            @click=${() => this.#choose(each)}
          >
            ${icon(each)}
          </button>`,
      )}
    </div>`;
  }

  #choose(name) {
    setTheme(name);
    this.requestUpdate();
  }
}

customElements.define('ui-theme', UiTheme);
