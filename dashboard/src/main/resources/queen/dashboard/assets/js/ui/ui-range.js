// Selects the time range of charts, which is in the address.
import { html, nothing } from 'lit';
import { QueenElement } from '../core/element.js';
import { refine } from '../core/place.js';
import { RANGES, rangeOf } from '../core/range.js';

class UiRange extends QueenElement {
  static properties = { query: { attribute: false }, start: { state: true } };

  render() {
    const chosen = this.query.from ? 'custom' : (this.query.range ?? '1h');
    return html`<div class="range" role="group" aria-label="Time range">
      ${Object.keys(RANGES).map(
        (range) =>
          html`<button type="button" aria-pressed=${chosen === range} @click=${() => this.#choose(range)}>
            ${range.replace('h', ' h')}
          </button>`,
      )}
      <button type="button" aria-pressed=${chosen === 'custom'} @click=${this.#open}>Custom</button>
      ${
        this.start || chosen === 'custom'
          ? html`<form class="custom" @submit=${this.#custom} @input=${this.#allow}>
              <label
                >from <input type="datetime-local" name="from" aria-label="From" required .value=${local(this.query.from ?? this.start)}
              /></label>
              <label>to <input type="datetime-local" name="to" aria-label="To" .value=${local(this.query.to)} /></label>
              <button type="submit" class="small">Show</button>
            </form>`
          : nothing
      }
    </div>`;
  }

  /** Starts with the current range as fixed times, so that fields do not change while the user types. */
  #open = () => (this.start = this.start ? null : rangeOf(this.query).from);

  #choose(range) {
    this.start = null;
    refine({ range: range === '1h' ? null : range, from: null, to: null });
  }

  #custom = (event) => {
    event.preventDefault();
    const { from, to } = event.target.elements;
    if (to.value && to.value <= from.value) {
      to.setCustomValidity('The end is before the beginning.');
      to.reportValidity();
      return;
    }
    refine({ range: null, from: utc(from.value), to: utc(to.value) });
  };

  #allow = (event) => event.currentTarget.elements.to.setCustomValidity('');
}

function utc(text) {
  return text ? new Date(text).toISOString() : null;
}

/** Returns a time for a datetime-local field: local time in minutes. */
export function local(moment) {
  if (!moment) return '';
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

customElements.define('ui-range', UiRange);
