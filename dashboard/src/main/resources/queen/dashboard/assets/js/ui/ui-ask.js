// A dialog before an action: shows the effect, reads the parameters, runs the action, and stays open if it fails.
import { html, nothing } from 'lit';
import { QueenElement } from '../core/element.js';
import { fieldset, given, initial } from './fields.js';
import { icon } from './icons.js';

class UiAsk extends QueenElement {
  static properties = {
    question: { attribute: false },
    values: { state: true },
    error: { state: true },
    isBusy: { state: true },
    preview: { state: true },
  };

  #answer = null;

  constructor() {
    super();
    this.error = null;
    this.isBusy = false;
    this.preview = null;
  }

  open(question) {
    this.question = { fields: [], ...question };
    this.values = initial(this.question.fields);
    return new Promise((resolve) => (this.#answer = resolve));
  }

  firstUpdated() {
    this.querySelector('dialog').showModal();
    (this.querySelector('input:not([readonly]), select, textarea') ?? this.querySelector('[data-cancel]')).focus();
    this.#look();
  }

  render() {
    const q = this.question;
    return html` <dialog class="ask ${q.isWide ? 'wide' : ''}" aria-labelledby="ask-title" @cancel=${this.#cancel} @close=${() => this.#done(null)}>
      <form @submit=${this.#submit}>
        <header>
          <h2 id="ask-title">${q.title}</h2>
          <button type="button" class="plain" aria-label="Close" @click=${this.#close}>${icon('close')}</button>
        </header>
        <div class="body">
          ${q.text ? html`<p>${q.text}</p>` : nothing}
          ${q.loss ? html`<div class="notice ${q.danger ? 'bad' : 'warn'}"><div>${q.loss}</div></div>` : nothing}
          ${fieldset(q.fields, this.values, this.#change)} ${this.preview ? html`<div class="preview">${this.preview}</div>` : nothing}
          ${this.error ? html`<div class="notice bad" role="alert"><div>${this.error}</div></div>` : nothing}
        </div>
        <footer>
          <button type="button" data-cancel @click=${this.#close}>Cancel</button>
          <button type="submit" class=${q.danger ? 'danger solid' : 'primary'} ?disabled=${this.isBusy}>${q.verb}</button>
        </footer>
      </form>
    </dialog>`;
  }

  #change = (name, value) => {
    this.values = { ...this.values, [name]: value };
    this.error = null;
    this.#look();
  };

  async #look() {
    if (!this.question.preview) return;
    const values = this.values;
    try {
      const preview = await this.question.preview(given(this.question.fields, values));
      if (values === this.values) this.preview = preview;
    } catch (error) {
      if (values === this.values) this.preview = error.message;
    }
  }

  #submit = async (event) => {
    event.preventDefault();
    if (this.isBusy) return;
    this.isBusy = true;
    this.error = null;
    try {
      const values = given(this.question.fields, this.values);
      const result = await this.question.act(values);
      this.#done({ values, result });
    } catch (error) {
      this.error = error.message;
      this.isBusy = false;
    }
  };

  /** The dialog cannot be closed while the action runs. */
  #cancel = (event) => {
    if (this.isBusy) event.preventDefault();
  };

  #close = () => this.isBusy || this.#done(null);

  #done(answer) {
    const resolve = this.#answer;
    if (!resolve) return;
    this.#answer = null;
    // close() returns the focus to the previous element; removing the dialog would not.
    this.querySelector('dialog').close();
    this.remove();
    resolve(answer);
  }
}

customElements.define('ui-ask', UiAsk);

/**
 * @param question {title, text, loss, danger, verb, fields, preview: async (values) => template, act: async (values) => result}
 * @returns result of the action, or null if it was canceled
 */
export function ask(question) {
  const element = document.createElement('ui-ask');
  const answer = element.open(question);
  document.body.append(element);
  return answer;
}
