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
      <p>${error.message}</p>
    </div>
    <button @click=${retry}>Try again</button>
  </div>`;
}

function title(error) {
  if (error.status === 404) return 'This does not exist.';
  if (error.status === 403) return 'You may not see this.';
  return error.status === 0 || error.status === 503 ? 'Queen cannot be reached.' : 'This could not be loaded.';
}
