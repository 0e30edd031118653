// A moment: relative, with the exact one on hover. All of them tick together.
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

/** A sentence of the API with the moments in it told as everywhere else. */
export function withTimes(text) {
  const [before, ...parts] = text.split(MOMENT);
  const told = [before];
  for (let i = 0; i < parts.length; i += 3) {
    const [word, moment, after] = parts.slice(i, i + 3);
    told.push(word === 'at' ? time(moment) : html`(ends ${time(moment)})`, after);
  }
  return told;
}
