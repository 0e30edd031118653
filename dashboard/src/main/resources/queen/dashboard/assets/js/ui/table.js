// Tables: columns described as data; wide ones scroll inside their card.
import { html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { empty as nothingThere } from './states.js';

/**
 * @param columns [{title, cell: (row) => template, kind: num|wide|actions, hint}]
 * @param options {key: (row) => any, empty: [title, advice], label, row: (row) => class}
 */
export function table(columns, rows, options = {}) {
  if (rows.length === 0 && options.empty) return nothingThere(...options.empty);
  return html`<div class="table" tabindex="0" role="region" aria-label=${options.label ?? 'Table'}>
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th class=${column.kind ?? ''} title=${column.hint ?? nothing} scope="col">${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${repeat(
          rows,
          options.key ?? ((row) => row),
          (row) =>
            html` <tr class=${options.row?.(row) ?? ''}>
              ${columns.map((column) => html`<td class=${column.kind ?? ''}>${column.cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A card with a title, an element to the right of it, and a body. */
export function card(title, body, aside = nothing, kind = '') {
  return html`<section class="card ${kind}">
    <header>
      <h2>${title}</h2>
      <div class="aside">${aside}</div>
    </header>
    ${body}
  </section>`;
}

/** A list of names and values. */
export function facts(pairs) {
  return html`<dl class="facts">
    ${pairs.filter(Boolean).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A share as a bar. */
export function share(part, whole, kind = 'accent') {
  return html`<progress class="share ${kind}" max=${Math.max(1, Number(whole))} value=${Math.min(Number(part), Number(whole))}></progress>`;
}

/** Tabs; the selected one is in the address. */
export function tabs(chosen, names, refine) {
  return html`<div class="tabs" role="tablist">
    ${names.map(
      ([name, label]) =>
        html` <button
          type="button"
          role="tab"
          aria-selected=${chosen === name}
          @click=${() => refine({ tab: name === names[0][0] ? null : name })}
        >
          ${label}
        </button>`,
    )}
  </div>`;
}
