// A small line chart of a trend.
import { html, svg } from 'lit';
import { QueenElement } from '../core/element.js';

const WIDTH = 120;
const HEIGHT = 32;

class UiSpark extends QueenElement {
  static properties = { values: { attribute: false }, kind: {} };

  constructor() {
    super();
    this.values = [];
    this.kind = 'accent';
  }

  render() {
    const values = this.values.length > 1 ? this.values : [0, 0];
    const max = Math.max(...values, 0) || 1;
    const step = WIDTH / (values.length - 1);
    const line = values.map((value, i) => `${(i * step).toFixed(1)},${(HEIGHT - 2 - (value / max) * (HEIGHT - 4)).toFixed(1)}`);
    return html`<svg class="spark ${this.kind}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<polygon points="0,${HEIGHT} ${line.join(' ')} ${WIDTH},${HEIGHT}"/><polyline points=${line.join(' ')}/>`}
    </svg>`;
  }
}

customElements.define('ui-spark', UiSpark);
