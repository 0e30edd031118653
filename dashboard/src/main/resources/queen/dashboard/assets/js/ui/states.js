// Placeholders for data: loading, empty, failed.
import { html, nothing } from 'lit';

export function skeleton() {
  return html`<div class="skeleton" role="status" aria-label="Loading"><i></i><i></i><i></i><i></i></div>`;
}

export function empty(title, advice = nothing) {
  return html`<div class="empty">
    <strong>${title}</strong>
    <p>${advice}</p>
  </div>`;
}

/** @param isStale true if older data is shown below */
export function failure(error, retry, isStale = false) {
  return html` <div class="notice bad" role="alert">
    <div>
      <strong>${isStale ? 'The shown data is not up to date.' : title(error)}</strong>
      <p>${sentence(error.message)}${error.status === 404 ? ' It may have been deleted. Press / to search.' : ''}</p>
    </div>
    <button @click=${retry}>Try again</button>
  </div>`;
}

function title(error) {
  if (error.status === 404) return 'Not found.';
  if (error.status === 403) return 'Access denied.';
  if (error.status === 0) return 'Queen is unreachable.';
  return error.status === 503 ? 'This page needs PostgreSQL.' : 'Loading failed.';
}

/** The error that a consumer reported for a message. */
export function lastError(text) {
  return html`<div class="notice bad">
    <div>
      <strong>Last error</strong>
      <p class="mono small">${text}</p>
    </div>
  </div>`;
}

function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
