// Buttons that only appear to those who may use them.
import { html, nothing } from 'lit';
import { session } from '../core/session.js';
import { icon } from './icons.js';

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
    @click=${onClick}
  >
    ${options.icon ? icon(options.icon) : nothing}<span>${label}</span>
  </button>`;
}
