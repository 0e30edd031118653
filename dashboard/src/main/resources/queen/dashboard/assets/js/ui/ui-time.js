// A relative time with the exact time as a hint. All are updated together.
import { html } from 'lit';
import { QueenElement } from '../core/element.js';
import { exact, relative } from '../core/format.js';

const shown = new Set();
setInterval(() => {
  if (!document.hidden) shown.forEach((each) => each.requestUpdate());
}, 1000);

class UiTime extends QueenElement {
  static properties = { at: {} };

  connectedCallback() {
    super.connectedCallback();
    shown.add(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    shown.delete(this);
  }

  render() {
    return this.at ? html`<time datetime=${this.at} title=${exact(this.at)}>${relative(this.at)}</time>` : '–';
  }
}

customElements.define('ui-time', UiTime);

export function time(at) {
  return html`<ui-time .at=${at}></ui-time>`;
}

const MOMENT = /\b(at|until) (\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** Returns a sentence of the API with its times replaced by relative times. */
export function withTimes(text) {
  const [before, ...rest] = text.split(MOMENT);
  const parts = [before];
  for (let i = 0; i < rest.length; i += 3) {
    const [word, moment, after] = rest.slice(i, i + 3);
    parts.push(word === 'at' ? time(moment) : html`(ends ${time(moment)})`, after);
  }
  return parts;
}
