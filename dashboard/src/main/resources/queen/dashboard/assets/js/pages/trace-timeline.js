// Trace records of messages on a timeline.
import { html, nothing } from 'lit';
import { groupName } from '../core/format.js';
import { url } from '../core/place.js';
import { empty } from '../ui/states.js';
import { json } from '../ui/ui-json.js';
import { time } from '../ui/ui-time.js';

const KINDS = { error: 'bad', warning: 'warn', warn: 'warn', success: 'ok', info: 'quiet' };

/** @param options {withMessage: true to show the message of each record} */
export function timeline(traces, none, { withMessage = false } = {}) {
  if (traces.length === 0) return empty(...none);
  return html`<ol class="timeline">
    ${traces.map(
      (trace) =>
        html` <li class=${KINDS[trace.event_type] ?? 'quiet'}>
          <i class="mark"></i>
          <header>
            <strong>${trace.event_type}</strong><span class="muted">${groupName(trace.consumer_group)}</span>
            ${
              withMessage
                ? html`<a
                    class="mono small"
                    href=${url('/messages/:partitionId/:transactionId', { partitionId: trace.partition_id, transactionId: trace.transaction_id })}
                    >${trace.queue_name} / ${trace.partition_name} / ${trace.transaction_id}</a
                  >`
                : nothing
            }
            <span class="when">${time(trace.created_at)}</span>
          </header>
          ${text(trace.data)}
          ${(trace.trace_names ?? []).length ? html`<div class="chips">${trace.trace_names.map((name) => html`<a class="chip" href=${url('/traces', { name })}>${name}</a>`)}</div>` : nothing}
        </li>`,
    )}
  </ol>`;
}

/** A record that only contains a text is shown as text. */
function text(data) {
  const isPlain = data && typeof data === 'object' && Object.keys(data).length === 1 && typeof data.text === 'string';
  return isPlain ? html`<p>${data.text}</p>` : json(data);
}
