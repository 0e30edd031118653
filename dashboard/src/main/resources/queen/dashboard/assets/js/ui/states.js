// What stands where data would be: loading, empty, failed. Each says what to do.
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

/** @param isStale whether older data is shown below */
export function failure(error, retry, isStale = false) {
  return html` <div class="notice bad" role="alert">
    <div>
      <strong>${isStale ? 'What you see is no longer up to date.' : title(error)}</strong>
      <p>${sentence(error.message)}${error.status === 404 ? ' It may have been deleted. Press / to find what there is.' : ''}</p>
    </div>
    <button @click=${retry}>Try again</button>
  </div>`;
}

function title(error) {
  if (error.status === 404) return 'This does not exist.';
  if (error.status === 403) return 'You may not see this.';
  return error.status === 0 || error.status === 503 ? 'Queen cannot be reached.' : 'This could not be loaded.';
}

/** What went wrong with a message, in the words of who tried. */
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
