// Short notes about completed actions.
import { html } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { QueenElement } from '../core/element.js';

const SHOWN_MS = 5000;

class UiToasts extends QueenElement {
  static properties = { notes: { state: true } };

  constructor() {
    super();
    this.notes = [];
  }

  add(text, kind) {
    const note = { text, kind };
    this.notes = [...this.notes, note];
    setTimeout(() => (this.notes = this.notes.filter((each) => each !== note)), SHOWN_MS);
  }

  render() {
    return html`<div class="toasts" role="status" aria-live="polite">
      ${repeat(
        this.notes,
        (note) => note,
        (note) => html`<div class="toast ${note.kind}">${note.text}</div>`,
      )}
    </div>`;
  }
}

customElements.define('ui-toasts', UiToasts);

/** @param kind ok or bad */
export function toast(text, kind = 'ok') {
  let element = document.querySelector('ui-toasts');
  if (!element) {
    element = document.createElement('ui-toasts');
    document.body.append(element);
  }
  element.add(text, kind);
}
