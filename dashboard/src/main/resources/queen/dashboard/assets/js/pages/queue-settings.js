// The form of the options of a queue.
import { html, nothing } from 'lit';
import { call } from '../core/api.js';
import { QueenElement } from '../core/element.js';
import { session } from '../core/session.js';
import { fieldset, given, initial } from '../ui/fields.js';
import { toast } from '../ui/ui-toasts.js';
import { optionFields } from './queue-form.js';

class QueueSettings extends QueenElement {
  static properties = { queue: { attribute: false }, isReadOnly: { attribute: false }, changes: { state: true }, error: { state: true } };

  constructor() {
    super();
    this.changes = {};
    this.error = null;
  }

  render() {
    const fields = [
      { name: 'namespace', label: 'Namespace', value: this.queue.namespace },
      { name: 'task', label: 'Task', value: this.queue.task },
      ...optionFields(this.queue.options),
    ];
    const values = { ...initial(fields), ...this.changes };
    const isChanged = Object.keys(this.changes).length > 0;
    return html`<form class="card settings" @submit=${(event) => this.#save(event, fields, values)}>
      <header>
        <h2>Settings</h2>
        <div class="aside muted">
          ${this.isReadOnly ? 'You have no right to change them.' : 'Changes apply to all servers within a second.'}
        </div>
      </header>
      ${
        this.isReadOnly || session.mayRemove
          ? nothing
          : html`<div class="notice" data-note="removing-options">
              <div>
                Only administrators may shorten retention, expiry or the duplicate window, switch encryption or dead letters off, or set a maximum
                below the unfinished messages.
              </div>
            </div>`
      }
      <fieldset class="grid" ?disabled=${this.isReadOnly}>
        ${fieldset(fields, values, (name, value) => this.#change(name, value, fields))}
      </fieldset>
      ${this.error ? html`<div class="notice bad" role="alert"><div>${this.error}</div></div>` : nothing}
      ${
        this.isReadOnly
          ? nothing
          : html`<footer>
              <button type="button" ?disabled=${!isChanged} @click=${() => (this.changes = {})}>Undo</button>
              <button type="submit" class="primary" ?disabled=${!isChanged} data-action="configure">Save</button>
            </footer>`
      }
    </form>`;
  }

  #change(name, value, fields) {
    const before = fields.find((field) => field.name === name).value;
    const { [name]: _, ...others } = this.changes;
    this.changes = String(before) === String(value) ? others : { ...others, [name]: value };
    this.error = null;
  }

  async #save(event, fields, values) {
    event.preventDefault();
    const changed = fields.filter((field) => field.name in this.changes);
    const { namespace, task, ...options } = given(changed, values);
    for (const field of changed) {
      if (field.isNullable && this.changes[field.name] === '') options[field.name] = null;
    }
    try {
      await call('configure', {}, { body: { queue: this.queue.name, namespace, task, options } });
      this.changes = {};
      toast('Saved.');
      this.dispatchEvent(new Event('saved'));
    } catch (error) {
      this.error = error.message;
    }
  }
}

customElements.define('queue-settings', QueueSettings);
