// ⌘K: jumps to a page, queue, group, partition or message.
import { html, nothing } from 'lit';
import { QueenElement } from '../core/element.js';
import { go } from '../core/place.js';
import { icon } from '../ui/icons.js';
import { found } from './finder.js';

const PAUSE_MS = 150;

class UiPalette extends QueenElement {
  static properties = { hits: { state: true }, note: { state: true }, chosen: { state: true }, isBusy: { state: true } };

  #timer = null;
  #search = 0;

  constructor() {
    super();
    this.hits = [];
    this.note = null;
    this.chosen = 0;
  }

  open() {
    const dialog = this.querySelector('dialog');
    if (dialog.open) return;
    dialog.showModal();
    const input = this.querySelector('input');
    input.value = '';
    input.focus();
    this.#find('');
  }

  render() {
    return html`<dialog class="palette" aria-label="Find" @click=${this.#onVeil}>
      <div class="search">
        ${icon('search')}<input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="hits"
          aria-autocomplete="list"
          aria-activedescendant="hit-${this.chosen}"
          placeholder="Queue, group, partition, transactionId, or a page"
          spellcheck="false"
          autocomplete="off"
          @input=${this.#onInput}
          @keydown=${this.#onKey}
        /><kbd>esc</kbd>
      </div>
      <ul id="hits" role="listbox">
        ${this.hits.map(
          (hit, i) =>
            html` <li
              id="hit-${i}"
              role="option"
              aria-selected=${i === this.chosen}
              @click=${() => this.#jump(hit)}
              @mousemove=${() => (this.chosen = i)}
            >
              ${icon(hit.icon)}<span class="what">${hit.title}</span><span class="muted">${hit.kind}</span>
            </li>`,
        )}
        ${this.hits.length === 0 ? html`<li class="none">${this.isBusy ? 'Searching…' : 'Nothing found.'}</li>` : nothing}
      </ul>
      ${this.note ? html`<p class="note" role="status">${this.note}</p>` : nothing}
    </dialog>`;
  }

  #onInput = (event) => {
    clearTimeout(this.#timer);
    const text = event.target.value.trim();
    this.chosen = 0;
    this.#timer = setTimeout(() => this.#find(text), PAUSE_MS);
  };

  async #find(text) {
    const search = ++this.#search;
    this.#timer = null;
    this.isBusy = true;
    for await (const { hits, note = null } of found(text)) {
      if (search !== this.#search) return;
      this.hits = hits;
      this.note = note;
      this.chosen = Math.min(this.chosen, Math.max(0, hits.length - 1));
    }
    if (search === this.#search) this.isBusy = false;
  }

  #onKey = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.chosen = (this.chosen + step + this.hits.length) % Math.max(1, this.hits.length);
      this.updateComplete.then(() => this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }));
    } else if (event.key === 'Enter') {
      this.#enter(event.target.value.trim());
    }
  };

  /** The shown hits may belong to the previous text. */
  async #enter(text) {
    if (this.#timer) {
      clearTimeout(this.#timer);
      await this.#find(text);
    }
    if (this.hits[this.chosen]) this.#jump(this.hits[this.chosen]);
  }

  #jump(hit) {
    this.querySelector('dialog').close();
    this.chosen = 0;
    go(hit.url);
  }

  #onVeil = (event) => {
    if (event.target === event.currentTarget) event.currentTarget.close();
  };
}

customElements.define('ui-palette', UiPalette);
