// A page: loads its data, reloads it every few seconds while the tab is visible, and keeps the old data while loading.
import { html, nothing } from 'lit';
import { QueenElement } from './element.js';
import { session } from './session.js';
import { failure, skeleton } from '../ui/states.js';

export class Page extends QueenElement {
  static properties = {
    params: { attribute: false },
    query: { attribute: false },
    data: { state: true },
    error: { state: true },
  };

  /** Milliseconds from the end of a load to the next one; 0 to load once. */
  interval = 5000;

  #timer = null;
  #abort = null;
  #onVisible = () => this.#resume();
  #onSession = () => (session.isLoginRequired ? this.#stop() : this.reload());

  constructor() {
    super();
    this.params = {};
    this.query = {};
    this.data = null;
    this.error = null;
  }

  /** Returns the data for view(). Must be overridden. */
  async load(_signal) {
    return {};
  }

  /** Renders this.data. Must be overridden. */
  view() {
    return nothing;
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisible);
    session.addEventListener('change', this.#onSession);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisible);
    session.removeEventListener('change', this.#onSession);
    this.#stop();
  }

  willUpdate(changed) {
    const isElsewhere = changed.has('params') && !same(changed.get('params'), this.params);
    const isOther = changed.has('query') && !same(changed.get('query'), this.query);
    if (isElsewhere) this.data = null;
    if (isElsewhere || isOther) this.reload();
  }

  /** Aborts a running load and loads again. */
  async reload() {
    this.#stop();
    if (session.isLoginRequired) return;
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const data = await this.load(abort.signal);
      if (abort.signal.aborted) return;
      this.data = data;
      this.error = null;
    } catch (error) {
      if (abort.signal.aborted || error.name === 'AbortError' || error.status === 401) return;
      if (error.status === undefined) console.error(error);
      this.error = error;
    }
    this.#schedule();
  }

  render() {
    if (!this.data) return this.error ? failure(this.error, () => this.reload()) : skeleton();
    return html`${this.error ? failure(this.error, () => this.reload(), true) : nothing}${this.view()}`;
  }

  #schedule() {
    if (this.interval && !document.hidden && this.isConnected) {
      this.#timer = setTimeout(() => this.reload(), this.interval);
    }
  }

  #resume() {
    if (document.hidden) this.#stop();
    else if (!this.#timer) this.reload();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#abort?.abort();
  }
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
