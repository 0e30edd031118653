// The commands for a first queue, shown while there is none.
import { html } from 'lit';
import { refine } from '../core/place.js';
import { session } from '../core/session.js';
import { icon } from '../ui/icons.js';
import { card } from '../ui/table.js';
import { toast } from '../ui/ui-toasts.js';

const STEPS = [
  {
    title: 'Create a queue',
    why: 'Optional: the first push creates a queue with default options.',
    curl: (at, token) =>
      `curl -X POST ${at}/api/v1/configure${token} -d '{"queue":"orders","options":{"leaseTime":60,"retryLimit":5}}'`,
    queen: (at) => `queen queue configure orders leaseTime=60 retryLimit=5${at}`,
  },
  {
    title: 'Push a message',
    why: 'Messages of one partition are delivered in order. The first push to a partition creates it.',
    curl: (at, token) =>
      `curl -X POST ${at}/api/v1/push${token} -d '{"items":[{"queue":"orders","partition":"customer-42","payload":{"total":10}}]}'`,
    queen: (at) => `queen push orders '{"total":10}' -p customer-42${at}`,
  },
  {
    title: 'Pop it',
    why: 'A consumer group reads all messages of a queue. This command also finishes the message.',
    curl: (at, token) => `curl '${at}/api/v1/pop/queue/orders?consumerGroup=billing&autoAck=true'${token}`,
    queen: (at) => `queen pop orders -g billing --ack${at}`,
  },
];

/** @param query of the address: `with` selects the tool */
export function firstSteps(query) {
  const tool = query.with === 'queen' ? 'queen' : 'curl';
  const choice = html`<div class="range small" role="group" aria-label="Tool">
    ${['curl', 'queen'].map(
      (each) =>
        html`<button type="button" aria-pressed=${tool === each} @click=${() => refine({ with: each === 'curl' ? null : each })}>${each}</button>`,
    )}
  </div>`;
  return card(
    'First steps',
    html`<ol class="steps">
        ${STEPS.map((step) => {
          const command = commandOf(step, tool);
          return html`<li>
            <strong>${step.title}</strong>
            <p>${step.why}</p>
            <div class="command">
              <pre><code>${command}</code></pre>
              <button type="button" class="small" aria-label="Copy: ${step.title}" @click=${() => copy(command)}>${icon('copy')} Copy</button>
            </div>
          </li>`;
        })}
      </ol>
      <p class="steps-end">
        Next: <a href="/docs/guide/java-client" data-plain>Java client</a>, <a href="/docs/guide/spring-boot" data-plain>Spring Boot</a>,
        <a href="/docs/guide/command-line" data-plain>command line</a>, <a href="/docs" data-plain>all documents</a>.
      </p>`,
    choice,
  );
}

function commandOf(step, tool) {
  if (tool === 'queen') return step.queen(isDefault() ? '' : ` --url ${location.origin}`);
  return step.curl(location.origin, session.token ? ' -H "Authorization: Bearer $QUEEN_TOKEN"' : '');
}

/** Returns true for the address that the command line uses without --url. */
function isDefault() {
  return location.protocol === 'http:' && location.host === 'localhost:6632';
}

async function copy(command) {
  await navigator.clipboard.writeText(command);
  toast('Copied.');
}
