// A highlighted payload. All content becomes text nodes, so that no part of it is executed.
import { html } from 'lit';
import { QueenElement } from '../core/element.js';
import { icon } from './icons.js';
import { toast } from './ui-toasts.js';

const LINES_MAX = 4000;

class UiJson extends QueenElement {
  static properties = { value: { attribute: false }, isWhole: { state: true } };

  render() {
    const text = pretty(this.value);
    const lines = text.split('\n');
    const isCut = lines.length > LINES_MAX && !this.isWhole;
    return html` <div class="json">
      <button class="copy small" type="button" title="Copy" @click=${() => this.#copy(text)}>${icon('copy')}<span>Copy</span></button>
      <pre tabindex="0"><code>${highlighted(isCut ? lines.slice(0, LINES_MAX).join('\n') : text)}</code></pre>
      ${isCut ? html`<button class="small" @click=${() => (this.isWhole = true)}>Show all ${lines.length} lines</button>` : ''}
    </div>`;
  }

  async #copy(text) {
    await copy(text);
  }
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    toast('The browser does not allow copying here.', 'bad');
  }
}

/** Returns JSON indented by two blanks. Integers of any size are unchanged. */
export function pretty(value) {
  return (
    JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? (JSON.rawJSON?.(String(each)) ?? String(each)) : each), 2) ?? 'null'
  );
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function highlighted(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    parts.push(text.slice(end, match.index), html`<span class=${kindOf(match)}>${match[1] ?? match[0]}</span>`, match[2] ?? '');
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

function kindOf(match) {
  if (match[1]) return match[2] ? 'key' : 'text';
  return /^[tfn]/.test(match[0]) ? 'word' : 'number';
}

customElements.define('ui-json', UiJson);

export function json(value) {
  return html`<ui-json .value=${value}></ui-json>`;
}
