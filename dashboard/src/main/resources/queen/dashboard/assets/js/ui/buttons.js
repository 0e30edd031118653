// Buttons that are only shown to users with the required right.
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

/** Shows a failure as a note. */
async function attempt(onClick) {
  try {
    await onClick();
  } catch (error) {
    toast(error.message, 'bad');
  }
}
