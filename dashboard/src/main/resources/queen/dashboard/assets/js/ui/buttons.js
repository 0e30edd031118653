// Buttons that only appear to those who may use them.
import { html, nothing } from 'lit';
import { session } from '../core/session.js';
import { icon } from './icons.js';
import { toast } from './ui-toasts.js';

/** @param options {icon, danger, primary, small, disabled, title} */
export function action(operation, label, onClick, options = {}) {
  if (!session.may(operation)) return nothing;
  const classes = [options.danger ? 'danger' : '', options.primary ? 'primary' : '', options.small ? 'small' : ''].join(' ');
  return html`<button
    type="button"
    class=${classes}
    ?disabled=${options.disabled ?? false}
    title=${options.title ?? nothing}
    data-action=${operation}
    @click=${() => attempt(onClick)}
  >
    ${options.icon ? icon(options.icon) : nothing}<span>${label}</span>
  </button>`;
}

/** What could not be done is said. */
async function attempt(onClick) {
  try {
    await onClick();
  } catch (error) {
    toast(error.message, 'bad');
  }
}
