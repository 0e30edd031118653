// Form fields, described as data, and the filters of lists.
import { html, nothing } from 'lit';
import { live } from 'lit-html/directives/live.js';
import { icon } from './icons.js';

const PAUSE_MS = 200;
let pause;

/**
 * @param field {name, label, type: text|number|checkbox|select|textarea|datetime-local|hidden, value, help, required, min,
 * max, step,
 *              choices: [[value, label]], placeholder, when: (values) => boolean, means: (value) => value in words}
 */
export function fieldset(fields, values, onChange) {
  return fields.filter((field) => !field.when || field.when(values)).map((field) => one(field, values[field.name], onChange));
}

export function initial(fields) {
  return Object.fromEntries(fields.map((field) => [field.name, field.value ?? (field.type === 'checkbox' ? false : '')]));
}

/** Returns the values of a form: numbers as numbers, times in UTC, without empty fields. */
export function given(fields, values) {
  const answer = {};
  for (const field of fields) {
    const value = values[field.name];
    if (field.when && !field.when(values)) continue;
    if (field.type === 'checkbox') answer[field.name] = Boolean(value);
    else if (value === '' || value === null || value === undefined) continue;
    else if (field.type === 'number') answer[field.name] = Number(value);
    else if (field.type === 'datetime-local') answer[field.name] = new Date(value).toISOString();
    else answer[field.name] = value;
  }
  return answer;
}

function one(field, value, onChange) {
  const id = `field-${field.name}`;
  const help = field.help ? html`<small id="${id}-help">${field.help}</small>` : nothing;
  if (field.type === 'checkbox') {
    return html`<label class="field check" for=${id}
      ><input
        id=${id}
        name=${field.name}
        type="checkbox"
        .checked=${live(Boolean(value))}
        @change=${(event) => onChange(field.name, event.target.checked)}
      /><span>${field.label}${help}</span></label
    >`;
  }
  return html`<div class="field">
    <label for=${id}>${field.label}${meaning(field, value)}</label>${control(field, id, value, onChange)}${help}
  </div>`;
}

function meaning(field, value) {
  const words = value === '' ? undefined : field.means?.(value);
  return words ? html`<span class="means">${words}</span>` : nothing;
}

function control(field, id, value, onChange) {
  const changed = (event) => onChange(field.name, event.target.value);
  if (field.type === 'select') {
    return html`<select id=${id} name=${field.name} @change=${changed}>
      ${options(field.choices, value)}
    </select>`;
  }
  if (field.type === 'textarea') {
    return html`<textarea
      id=${id}
      name=${field.name}
      rows="8"
      spellcheck="false"
      ?required=${field.required}
      .value=${live(value)}
      @input=${changed}
    ></textarea>`;
  }
  return html`<input
    id=${id}
    name=${field.name}
    type=${field.type ?? 'text'}
    .value=${live(String(value ?? ''))}
    ?required=${field.required}
    ?readonly=${field.readonly}
    min=${field.min ?? nothing}
    max=${field.max ?? nothing}
    step=${field.type === 'number' ? (field.step ?? 1) : nothing}
    maxlength=${field.type ? nothing : 255}
    placeholder=${field.placeholder ?? nothing}
    autocomplete="off"
    spellcheck="false"
    aria-describedby=${field.help ? `${id}-help` : nothing}
    @input=${changed}
  />`;
}

function options(choices, chosen) {
  return choices.map(([value, label]) => html`<option value=${value} .selected=${String(value) === String(chosen)}>${label}</option>`);
}

/**
 * A search box. It reports the text when typing pauses, so that not every letter causes a request.
 * @param options {placeholder, isWhole: true to report only complete texts, onEnter}
 */
export function searchBox(label, text, onSearch, { placeholder = label, isWhole = false, onEnter } = {}) {
  const typed = ({ target }) => {
    clearTimeout(pause);
    // The user may have opened another page in the meantime.
    if (!isWhole || target.value === '') pause = setTimeout(() => target.isConnected && onSearch(target.value), PAUSE_MS);
  };
  const finished = ({ target }) => {
    clearTimeout(pause);
    onSearch(target.value);
  };
  return html`<label class="search"
    >${isWhole ? nothing : icon('search')}<input
      type="search"
      placeholder=${placeholder}
      aria-label=${label}
      .value=${text ?? ''}
      @input=${typed}
      @change=${finished}
      @keydown=${(event) => event.key === 'Enter' && onEnter?.(event.target.value)}
  /></label>`;
}

/** A filter of a list. @param choices [[value, label]] */
export function choice(label, choices, chosen, onChoose) {
  return html`<select aria-label=${label} @change=${(event) => onChoose(event.target.value)}>
    ${options(choices, chosen ?? '')}
  </select>`;
}

/** Returns choices whose labels are their values. */
export function named(values) {
  return values.map((value) => [value, value]);
}
